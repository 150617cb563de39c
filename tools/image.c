/* SPDX-License-Identifier: MIT */
/* An ELF file opened for its symbols; see image.h. */
#include "tools/image.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Takes the GNU build id, if it is among these notes. */
static void take_id(struct ptl_image *image, Elf_Data *data)
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

static bool read_segments(struct ptl_image *image)
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
static void read_note_sections(struct ptl_image *image)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while (image->id_size == 0 &&
	       (scn = elf_nextscn(image->elf, scn)) != NULL)
		if (gelf_getshdr(scn, &shdr) != NULL &&
		    shdr.sh_type == SHT_NOTE)
			take_id(image, elf_getdata(scn, NULL));
}

static bool read_head(struct ptl_image *image)
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

bool ptl_image_open(struct ptl_image *image, const char *path)
{
	struct stat st;

	memset(image, 0, sizeof(*image));
	/* The path is a foreign one: to open a device can do something. */
	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	image->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (image->fd < 0)
		return false;
	image->path = strdup(path);
	elf_version(EV_CURRENT);
	image->elf = elf_begin(image->fd, ELF_C_READ, NULL);
	return read_head(image);
}

bool ptl_image_open_bytes(struct ptl_image *image, void *bytes, size_t size)
{
	memset(image, 0, sizeof(*image));
	image->fd = -1;
	elf_version(EV_CURRENT);
	image->elf = elf_memory(bytes, size);
	return read_head(image);
}

static void close_file(struct ptl_image *image)
{
	if (image->fd >= 0)
		close(image->fd);
	image->fd = -1;
	free(image->path);
	image->path = NULL;
}

void ptl_image_close(struct ptl_image *image)
{
	elf_end(image->elf);
	image->elf = NULL;
	close_file(image);
}

void ptl_image_keep(struct ptl_image *image)
{
	elf_cntl(image->elf, ELF_C_FDDONE);
	close_file(image);
}

const char *ptl_image_section_name(const struct ptl_image *image,
				   const GElf_Shdr *shdr)
{
	const char *name = NULL;
	size_t names;

	if (elf_getshdrstrndx(image->elf, &names) == 0)
		name = elf_strptr(image->elf, names, shdr->sh_name);
	return name != NULL ? name : "";
}

Elf_Scn *ptl_image_section(const struct ptl_image *image, const char *name,
			   GElf_Shdr *shdr)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(image->elf, scn)) != NULL)
		if (gelf_getshdr(scn, shdr) != NULL &&
		    strcmp(ptl_image_section_name(image, shdr), name) == 0)
			return scn;
	return NULL;
}
