/* SPDX-License-Identifier: MIT */
/* Finds files and their symbols; see find.h. */
#include "tools/symbolize/find.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#define DEBUG_DIR "/usr/lib/debug"

static const char *below;
static bool finds_nothing;
static int (*ask_first)(const struct ptl_wanted *wanted);

void ptl_find_below(const char *directory)
{
	below = directory;
}

void ptl_find_nothing(void)
{
	finds_nothing = true;
}

bool ptl_find_is_off(void)
{
	return finds_nothing;
}

void ptl_find_first(int (*ask)(const struct ptl_wanted *wanted))
{
	ask_first = ask;
}

/*
 * Is it the file that was mapped?  A file without a build id can be recognized
 * only by its size, which the loader may have rounded.
 */
static bool is_wanted(const struct ptl_elf_image *image,
		      const struct ptl_wanted *wanted)
{
	uint64_t size = image->high - image->low;

	if (image->id_size != wanted->id_size)
		return false;
	if (image->id_size > 0)
		return memcmp(image->id, wanted->id, image->id_size) == 0;
	return size + 8192 > wanted->size && wanted->size + 8192 > size;
}

static enum ptl_found try(const struct ptl_wanted *wanted, const char *path,
			  struct ptl_elf_image *image)
{
	if (!ptl_image_open(image, below, path))
		return PTL_FOUND_NONE;
	if (is_wanted(image, wanted))
		return PTL_FOUND;
	ptl_image_close(image);
	return PTL_FOUND_OTHER;
}

/* The files are called .build-id/xx/yyyyyy, in /usr/lib/debug or in the
 * directory of --symfs. */
static bool find_by_id(const struct ptl_wanted *wanted, const char *suffix,
		       struct ptl_elf_image *image)
{
	char path[sizeof(DEBUG_DIR) + 2 * PTL_BUILD_ID_MAX + 32];
	char *end = stpcpy(path, DEBUG_DIR "/.build-id/");

	if (wanted->id_size < 2)
		return false;
	for (size_t i = 0; i < wanted->id_size; i++)
		end += sprintf(end, i == 0 ? "%02x/" : "%02x", wanted->id[i]);
	strcpy(end, suffix);
	return try(wanted, path, image) == PTL_FOUND ||
	       (below != NULL &&
		try(wanted, path + strlen(DEBUG_DIR), image) == PTL_FOUND);
}

/* The kernel's vDSO, which is no file. */
static bool find_vdso(const struct ptl_wanted *wanted,
		      struct ptl_elf_image *image)
{
	void *vdso = (void *)getauxval(AT_SYSINFO_EHDR); /* NOLINT */
	const ElfW(Ehdr) *head = vdso;

	if (vdso == NULL || wanted->id_size == 0 ||
	    !ptl_image_open_bytes(image, vdso,
				  head->e_shoff + (size_t)head->e_shnum *
							  head->e_shentsize))
		return false;
	if (is_wanted(image, wanted))
		return true;
	ptl_image_close(image);
	return false;
}

static bool find_first(const struct ptl_wanted *wanted,
		       struct ptl_elf_image *image)
{
	int fd = ask_first != NULL ? ask_first(wanted) : -1;

	if (fd < 0 || !ptl_image_open_file(image, fd))
		return false;
	if (is_wanted(image, wanted))
		return true;
	ptl_image_close(image);
	return false;
}

enum ptl_found ptl_find_file(const struct ptl_wanted *wanted,
			     struct ptl_elf_image *image)
{
	const char *name = strrchr(wanted->path, '/');
	enum ptl_found found;

	if (finds_nothing)
		return PTL_FOUND_NONE;
	if (below == NULL && find_first(wanted, image))
		return PTL_FOUND;
	found = try(wanted, wanted->path, image);
	if (found == PTL_FOUND || find_by_id(wanted, "", image) ||
	    (below != NULL && name != NULL && wanted->id_size > 0 &&
	     try(wanted, name + 1, image) == PTL_FOUND) ||
	    find_vdso(wanted, image))
		return PTL_FOUND;
	return found;
}

static uint32_t crc_of_file(int fd)
{
	static unsigned char buf[64 * 1024];
	static uint32_t table[256];
	uint32_t crc = UINT32_MAX;
	off_t at = 0;
	ssize_t size;

	for (uint32_t i = 1; table[255] == 0 && i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] =
				table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320 : 0);
	}
	for (; (size = pread(fd, buf, sizeof(buf), at)) > 0; at += size)
		for (ssize_t i = 0; i < size; i++)
			crc = table[(crc ^ buf[i]) & 0xff] ^ crc >> 8;
	return ~crc;
}

/* Reads .gnu_debuglink: a name, and the checksum of that file. */
static const char *read_link(const struct ptl_elf_image *image, uint32_t *crc)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = ptl_image_section(image, ".gnu_debuglink", &shdr);
	Elf_Data *data = scn != NULL ? elf_rawdata(scn, NULL) : NULL;
	const unsigned char *bytes;
	size_t size;

	if (data == NULL || data->d_buf == NULL || data->d_size < 8)
		return NULL;
	bytes = data->d_buf;
	size = strnlen(data->d_buf, data->d_size);
	size = (size / 4 + 1) * 4;
	if (bytes[0] == '\0' || size + 4 > data->d_size)
		return NULL;
	bytes += size;
	if (image->head.e_ident[EI_DATA] == ELFDATA2MSB)
		*crc = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
		       (uint32_t)bytes[2] << 8 | bytes[3];
	else
		*crc = (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 |
		       (uint32_t)bytes[1] << 8 | bytes[0];
	return data->d_buf;
}

/* Opens ROOT/DIRECTORY OF PATH/BETWEEN/name if the checksum matches. */
static bool try_link(const char *root, const char *path, const char *between,
		     const char *name, uint32_t crc,
		     struct ptl_elf_image *debug)
{
	const char *slash = strrchr(path, '/');
	int dir_size = slash != NULL ? (int)(slash + 1 - path) : 0;
	bool is_open;
	char *whole;

	if (asprintf(&whole, "%s%.*s%s%s", root, dir_size, path, between,
		     name) < 0)
		return false;
	is_open = ptl_image_open(debug, below, whole);
	free(whole);
	if (is_open && crc_of_file(debug->fd) == crc)
		return true;
	if (is_open)
		ptl_image_close(debug);
	return false;
}

static bool find_by_link(const struct ptl_wanted *wanted,
			 const struct ptl_elf_image *main,
			 struct ptl_elf_image *debug)
{
	uint32_t crc;
	const char *name = read_link(main, &crc);

	if (name == NULL || main->path == NULL)
		return false;
	return try_link("", main->path, "", name, crc, debug) ||
	       try_link("", main->path, ".debug/", name, crc, debug) ||
	       try_link(DEBUG_DIR, wanted->path, "", name, crc, debug);
}

bool ptl_find_debug(const struct ptl_wanted *wanted,
		    const struct ptl_elf_image *main,
		    struct ptl_elf_image *debug)
{
	if (finds_nothing)
		return false;
	return find_by_id(wanted, ".debug", debug) ||
	       (main != NULL && find_by_link(wanted, main, debug));
}
