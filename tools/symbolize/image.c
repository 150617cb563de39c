/* SPDX-License-Identifier: MIT */
/* Opens an ELF file for its symbols; see image.h. */
#include "tools/symbolize/image.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* No program with all its debug information is larger. */
#define MAX_FILE ((off_t)8 << 30)

/* Takes the GNU build id, if these notes have one. */
static void take_id(struct ptl_elf_image *image, Elf_Data *data)
{
	size_t at = 0, name, desc;
	GElf_Nhdr note;

	while (data != NULL && image->id_size == 0 &&
	       (at = gelf_getnote(data, at, &note, &name, &desc)) > 0) {
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
		    note.n_descsz > PTL_BUILD_ID_MAX ||
		    memcmp((char *)data->d_buf + name, "GNU", 4) != 0)
			continue;
		memcpy(image->id, (char *)data->d_buf + desc, note.n_descsz);
		image->id_size = note.n_descsz;
	}
}

static bool read_segments(struct ptl_elf_image *image)
{
	GElf_Phdr phdr;
	size_t nr = 0;

	if (elf_getphdrnum(image->elf, &nr) != 0)
		return false;
	image->low = UINT64_MAX;
	for (size_t i = 0; i < nr; i++) {
		if (gelf_getphdr(image->elf, (int)i, &phdr) == NULL)
			break;
		if (phdr.p_type == PT_LOAD) {
			if (phdr.p_vaddr < image->low)
				image->low = phdr.p_vaddr;
			if (phdr.p_vaddr + phdr.p_memsz > image->high)
				image->high = phdr.p_vaddr + phdr.p_memsz;
		} else if (phdr.p_type == PT_NOTE) {
			take_id(image,
				elf_getdata_rawchunk(
					image->elf, (int64_t)phdr.p_offset,
					phdr.p_filesz,
					phdr.p_align == 8 ? ELF_T_NHDR8 :
							    ELF_T_NHDR));
		}
	}
	if (image->low >= image->high)
		image->low = image->high = 0;
	return true;
}

/* The segments of a debug file may be empty. */
static void read_note_sections(struct ptl_elf_image *image)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while (image->id_size == 0 &&
	       (scn = elf_nextscn(image->elf, scn)) != NULL)
		if (gelf_getshdr(scn, &shdr) != NULL &&
		    shdr.sh_type == SHT_NOTE)
			take_id(image, elf_getdata(scn, NULL));
}

static bool read_head(struct ptl_elf_image *image)
{
	if (image->elf == NULL || elf_kind(image->elf) != ELF_K_ELF ||
	    gelf_getehdr(image->elf, &image->head) == NULL ||
	    !read_segments(image)) {
		ptl_image_close(image);
		return false;
	}
	read_note_sections(image);
	return true;
}

/*
 * The path is foreign.  Opening a device can have effects, and so can the first
 * access below an automount point: so the file is examined first, in a way that
 * mounts nothing (on the directories of the path no kernel can prevent it), and
 * then that very file is opened.  With `below' nothing outside of that
 * directory is opened: links and ".." stay inside it.
 */
static int open_regular(const char *below, const char *path)
{
	int dir = below == NULL ? AT_FDCWD :
				  open(below, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC,
		.resolve = RESOLVE_NO_MAGICLINKS |
			   (below != NULL ? RESOLVE_IN_ROOT : 0),
	};
	char again[32];
	struct stat st;
	int fd = -1, found;

	if (below != NULL && dir < 0)
		return -1;
	found = (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
	/* Since Linux 5.6; a sandbox may not know it either. */
	if (found < 0 && below == NULL && (errno == ENOSYS || errno == EPERM))
		found = open(path, O_PATH | O_CLOEXEC);
	if (dir >= 0)
		close(dir);
	if (found < 0)
		return -1;
	if (fstat(found, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_size <= MAX_FILE) {
		snprintf(again, sizeof(again), "/proc/self/fd/%d", found);
		fd = open(again, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	}
	close(found);
	return fd;
}

bool ptl_image_open(struct ptl_elf_image *image, const char *below,
		    const char *path)
{
	memset(image, 0, sizeof(*image));
	image->fd = open_regular(below, path);
	if (image->fd < 0)
		return false;
	image->path = strdup(path);
	elf_version(EV_CURRENT);
	image->elf = elf_begin(image->fd, ELF_C_READ, NULL);
	return read_head(image);
}

bool ptl_image_open_file(struct ptl_elf_image *image, int file)
{
	struct stat st;

	memset(image, 0, sizeof(*image));
	image->fd = file;
	if (fstat(file, &st) != 0 || !S_ISREG(st.st_mode) ||
	    st.st_size > MAX_FILE) {
		close(file);
		return false;
	}
	elf_version(EV_CURRENT);
	image->elf = elf_begin(image->fd, ELF_C_READ, NULL);
	return read_head(image);
}

bool ptl_image_open_bytes(struct ptl_elf_image *image, void *bytes, size_t size)
{
	memset(image, 0, sizeof(*image));
	image->fd = -1;
	elf_version(EV_CURRENT);
	image->elf = elf_memory(bytes, size);
	return read_head(image);
}

static void close_file(struct ptl_elf_image *image)
{
	if (image->fd >= 0)
		close(image->fd);
	image->fd = -1;
	free(image->path);
	image->path = NULL;
}

struct ptl_image_part {
	struct ptl_image_part *next;
	max_align_t bytes[];
};

void *ptl_image_alloc(struct ptl_elf_image *image, size_t size)
{
	struct ptl_image_part *part = malloc(sizeof(*part) + size);

	if (part == NULL)
		return NULL;
	part->next = image->parts;
	image->parts = part;
	return part->bytes;
}

void ptl_image_close(struct ptl_elf_image *image)
{
	struct ptl_image_part *part;

	elf_end(image->elf);
	image->elf = NULL;
	while ((part = image->parts) != NULL) {
		image->parts = part->next;
		free(part);
	}
	close_file(image);
}

void ptl_image_keep(struct ptl_elf_image *image)
{
	elf_cntl(image->elf, ELF_C_FDDONE);
	close_file(image);
}

const char *ptl_image_section_name(const struct ptl_elf_image *image,
				   const GElf_Shdr *shdr)
{
	const char *name = NULL;
	size_t names;

	if (elf_getshdrstrndx(image->elf, &names) == 0)
		name = elf_strptr(image->elf, names, shdr->sh_name);
	return name != NULL ? name : "";
}

Elf_Scn *ptl_image_section(const struct ptl_elf_image *image, const char *name,
			   GElf_Shdr *shdr)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(image->elf, scn)) != NULL)
		if (gelf_getshdr(scn, shdr) != NULL &&
		    strcmp(ptl_image_section_name(image, shdr), name) == 0)
			return scn;
	return NULL;
}
