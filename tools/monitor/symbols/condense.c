/* SPDX-License-Identifier: MIT */
/*
 * Packs files; see condense.h.  The file stays what it is, at its offsets, so
 * that what reads the original reads this: but of sections that no name needs
 * there are nulls, of which nothing is left when they are packed.
 */
#include "tools/monitor/symbols/condense.h"

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <trace.h>
#include <unistd.h>
#include <zlib.h>

#include "tools/lib/say.h"
#include "tools/symbolize/debug_names.h"

#define BUILD_ID_MAX 64
#define PATH_MOST 4096
#define PIECE (256 * 1024)

struct elf_parts {
	int fd;
	uint64_t size;
	Elf64_Ehdr head;
	Elf64_Shdr *section;
	char *names;
	uint64_t names_size;
	char id[2 * BUILD_ID_MAX + 1];
};

static bool read_at(int fd, void *to, uint64_t size, uint64_t at)
{
	return pread(fd, to, size, (off_t)at) == (ssize_t)size;
}

static bool is_inside(const struct elf_parts *elf, uint64_t at, uint64_t size)
{
	return at <= elf->size && size <= elf->size - at;
}

static bool read_sections(struct elf_parts *elf)
{
	const Elf64_Ehdr *head = &elf->head;
	uint64_t size = (uint64_t)head->e_shnum * sizeof(Elf64_Shdr);
	const Elf64_Shdr *names;

	if (head->e_shentsize != sizeof(Elf64_Shdr) || head->e_shnum == 0 ||
	    head->e_shstrndx >= head->e_shnum ||
	    !is_inside(elf, head->e_shoff, size))
		return false;
	elf->section = ptl_alloc(size);
	if (!read_at(elf->fd, elf->section, size, head->e_shoff))
		return false;
	names = &elf->section[head->e_shstrndx];
	if (names->sh_size == 0 || names->sh_size > (64 << 20) ||
	    !is_inside(elf, names->sh_offset, names->sh_size))
		return false;
	elf->names_size = names->sh_size;
	elf->names = ptl_alloc(names->sh_size + 1);
	return read_at(elf->fd, elf->names, names->sh_size, names->sh_offset);
}

static const char *name_of(const struct elf_parts *elf,
			   const Elf64_Shdr *section)
{
	return section->sh_name < elf->names_size ?
		       elf->names + section->sh_name :
		       "";
}

/* The build id of a note of its own, which is where linkers put it. */
static void read_id(struct elf_parts *elf, const Elf64_Shdr *section)
{
	unsigned char bytes[16 + BUILD_ID_MAX];
	Elf64_Nhdr note;

	if (section->sh_size <= 16 || section->sh_size > sizeof(bytes) ||
	    !read_at(elf->fd, bytes, section->sh_size, section->sh_offset))
		return;
	memcpy(&note, bytes, sizeof(note));
	if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
	    note.n_descsz > section->sh_size - 16)
		return;
	for (uint32_t i = 0; i < note.n_descsz; i++)
		sprintf(elf->id + 2 * i, "%02x", bytes[16 + i]);
}

static bool open_elf(struct elf_parts *elf, int fd)
{
	struct stat status;

	*elf = (struct elf_parts){.fd = fd};
	if (fstat(fd, &status) != 0)
		return false;
	elf->size = (uint64_t)status.st_size;
	if (!read_at(fd, &elf->head, sizeof(elf->head), 0) ||
	    memcmp(elf->head.e_ident, ELFMAG, SELFMAG) != 0 ||
	    elf->head.e_ident[EI_CLASS] != ELFCLASS64 || !read_sections(elf))
		return false;
	for (size_t i = 0; i < elf->head.e_shnum; i++)
		if (elf->section[i].sh_type == SHT_NOTE &&
		    strcmp(name_of(elf, &elf->section[i]),
			   ".note.gnu.build-id") == 0)
			read_id(elf, &elf->section[i]);
	return true;
}

static void close_elf(struct elf_parts *elf)
{
	free(elf->section);
	free(elf->names);
}

/* Of what is loaded: all but stubs, which are named by their instructions. */
static bool is_needed(const struct elf_parts *elf, const Elf64_Shdr *section)
{
	const char *name = name_of(elf, section);
	const char *debug = ptl_debug_section(name);

	if (section->sh_type != SHT_PROGBITS)
		return true;
	if (section->sh_flags & SHF_ALLOC)
		return strncmp(name, ".plt", 4) == 0;
	return debug == NULL || ptl_debug_has_lines(debug);
}

/* Nulls, where the piece of the file at `at' has what is not needed. */
static void clear(const struct elf_parts *elf, unsigned char *piece,
		  uint64_t size, uint64_t at)
{
	for (size_t i = 0; i < elf->head.e_shnum; i++) {
		const Elf64_Shdr *section = &elf->section[i];
		uint64_t from = section->sh_offset, to;

		if (section->sh_type == SHT_NOBITS || is_needed(elf, section) ||
		    !is_inside(elf, from, section->sh_size))
			continue;
		to = from + section->sh_size;
		from = from > at ? from : at;
		to = to < at + size ? to : at + size;
		if (from < to)
			memset(piece + (from - at), 0, to - from);
	}
}

struct packing {
	z_stream stream;
	unsigned char *bytes;
	size_t size, room;
};

/* Takes what comes out; false: it is not to be. */
static bool pack(struct packing *packing, unsigned char *piece, size_t size,
		 int flush)
{
	packing->stream.next_in = piece;
	packing->stream.avail_in = (unsigned int)size;
	do {
		if (packing->room - packing->size < PIECE) {
			packing->room = 2 * packing->room + PIECE;
			packing->bytes = realloc(packing->bytes, packing->room);
		}
		if (packing->bytes == NULL)
			return false;
		packing->stream.next_out = packing->bytes + packing->size;
		packing->stream.avail_out = PIECE;
		if (deflate(&packing->stream, flush) == Z_STREAM_ERROR)
			return false;
		packing->size += PIECE - packing->stream.avail_out;
	} while (packing->stream.avail_out == 0);
	return true;
}

/* All of the file, but what is cleared of an ELF file, if it is one. */
static bool pack_file(struct packing *packing, int fd,
		      const struct elf_parts *elf)
{
	static unsigned char piece[PIECE];
	uint64_t at = 0;
	ssize_t got;

	if (deflateInit(&packing->stream, 3) != Z_OK)
		return false;
	while ((got = pread(fd, piece, sizeof(piece), (off_t)at)) > 0) {
		if (elf != NULL)
			clear(elf, piece, (uint64_t)got, at);
		if (!pack(packing, piece, (size_t)got, Z_NO_FLUSH))
			return false;
		at += (uint64_t)got;
	}
	return got == 0 && pack(packing, piece, 0, Z_FINISH);
}

static int enclose(int log_fd, const char *name, int fd,
		   const struct elf_parts *elf)
{
	struct packing packing = {.size = 0};
	int error = 0;

	if (pack_file(&packing, fd, elf))
		error = posix_trace_enclose_np(log_fd, name, packing.bytes,
					       packing.size);
	deflateEnd(&packing.stream);
	free(packing.bytes);
	return error;
}

int ptl_condense_file(int log_fd, int fd, const char *path)
{
	char name[PATH_MOST + sizeof(((struct elf_parts *)NULL)->id) + 16];
	struct elf_parts elf;
	int error = 0;

	if (open_elf(&elf, fd)) {
		snprintf(name, sizeof(name), "symbols:%s:%s", elf.id, path);
		error = enclose(log_fd, name, fd, &elf);
	}
	close_elf(&elf);
	return error;
}

int ptl_condense_map(int log_fd, int fd, long pid)
{
	char name[32];

	snprintf(name, sizeof(name), "perf-map:%ld", pid);
	return enclose(log_fd, name, fd, NULL);
}
