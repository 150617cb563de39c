/* SPDX-License-Identifier: MIT */
/* Sections by address; see code.h. */
#include "tools/plan/code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/format/patches.h"
#include "tools/lib/say.h"

#define MAX_SECTIONS 4096

static const char *why_not(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return strerror(errno);
	if (!S_ISREG(st.st_mode))
		return "not a file with bytes of its own";
	return "not an ELF file";
}

static const char *check_kind(const struct ptl_elf_image *image)
{
	if (image->head.e_ident[EI_CLASS] != ELFCLASS64)
		return "a 32-bit program or library: only x86-64 and aarch64 "
		       "are known";
	if (image->head.e_machine != EM_X86_64 &&
	    image->head.e_machine != EM_AARCH64)
		return "for another machine: only x86-64 and aarch64 are known";
	if (image->head.e_type != ET_EXEC && image->head.e_type != ET_DYN)
		return "neither a program nor a library";
	return NULL;
}

static const char *add_section(struct ptl_code *code, Elf_Scn *scn,
			       const GElf_Shdr *shdr)
{
	Elf_Data *data = elf_rawdata(scn, NULL);
	struct ptl_section *section;

	if (data == NULL || data->d_buf == NULL || data->d_size == 0)
		return NULL;
	if (shdr->sh_addr + data->d_size < shdr->sh_addr)
		return "a section is beyond all addresses";
	if (code->nr == MAX_SECTIONS)
		return "too many sections";
	code->section = ptl_grow(code->section, code->nr, &code->room,
				 sizeof(*code->section));
	section = &code->section[code->nr++];
	*section = (struct ptl_section){
		.start = shdr->sh_addr,
		.end = shdr->sh_addr + data->d_size,
		.bytes = data->d_buf,
		.name = ptl_image_section_name(&code->image, shdr),
		.is_writable = shdr->sh_flags & SHF_WRITE,
	};
	section->is_plt = strncmp(section->name, ".plt", 4) == 0;
	if (shdr->sh_flags & SHF_EXECINSTR)
		section->known = ptl_alloc(data->d_size);
	return NULL;
}

static int by_address(const void *a, const void *b)
{
	const struct ptl_section *left = a, *right = b;

	return (left->start > right->start) - (left->start < right->start);
}

static const char *sort(struct ptl_code *code)
{
	if (code->nr == 0)
		return "no section headers: its code cannot be found";
	qsort(code->section, code->nr, sizeof(*code->section), by_address);
	for (size_t i = 0; i < code->nr; i++) {
		if (i > 0 && code->section[i - 1].end > code->section[i].start)
			return "its sections overlap";
		if (code->section[i].known == NULL)
			continue;
		if (code->high == 0)
			code->low = code->section[i].start;
		code->high = code->section[i].end;
	}
	return code->high != 0 ? NULL : "no code";
}

/* Marks take as much memory as the code: not more than the file has. */
static const char *add_sections(struct ptl_code *code, uint64_t left)
{
	const char *why = NULL;
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while (why == NULL &&
	       (scn = elf_nextscn(code->image.elf, scn)) != NULL) {
		if (gelf_getshdr(scn, &shdr) == NULL ||
		    !(shdr.sh_flags & SHF_ALLOC) || shdr.sh_flags & SHF_TLS ||
		    shdr.sh_type == SHT_NOBITS || shdr.sh_size == 0)
			continue;
		if (shdr.sh_size > left)
			return "its sections have more bytes than the file";
		left -= shdr.sh_size;
		why = add_section(code, scn, &shdr);
	}
	return why != NULL ? why : sort(code);
}

/* The image is open, of that many bytes. */
static const char *take_image(struct ptl_code *code, uint64_t size)
{
	const char *why = check_kind(&code->image);

	if (why == NULL)
		why = add_sections(code, size);
	code->is_fixed = code->image.head.e_type == ET_EXEC;
	code->is_a64 = code->image.head.e_machine == EM_AARCH64;
	code->jump = code->is_a64 ? PTL_PATCH_WORD : PTL_PATCH_LONG;
	if (why != NULL)
		ptl_code_close(code);
	return why;
}

const char *ptl_code_open(struct ptl_code *code, const char *path)
{
	struct stat st;

	*code = (struct ptl_code){.nr = 0};
	if (!ptl_image_open(&code->image, NULL, path))
		return why_not(path);
	if (fstat(code->image.fd, &st) != 0)
		st.st_size = 0;
	return take_image(code, (uint64_t)st.st_size);
}

const char *ptl_code_open_file(struct ptl_code *code, int file)
{
	struct stat st;

	*code = (struct ptl_code){.nr = 0};
	if (fstat(file, &st) != 0 || !ptl_image_open_file(&code->image, file))
		return "not an ELF file";
	return take_image(code, (uint64_t)st.st_size);
}

const char *ptl_code_open_bytes(struct ptl_code *code, void *bytes, size_t size)
{
	*code = (struct ptl_code){.nr = 0};
	if (!ptl_image_open_bytes(&code->image, bytes, size))
		return "not an ELF file";
	return take_image(code, size);
}

void ptl_code_close(struct ptl_code *code)
{
	for (size_t i = 0; i < code->nr; i++) {
		free(code->section[i].known);
		free(code->section[i].before);
	}
	free(code->section);
	code->section = NULL;
	code->nr = 0;
	ptl_image_close(&code->image);
}

struct ptl_section *ptl_code_section(struct ptl_code *code, uint64_t address)
{
	struct ptl_section *section = &code->section[code->last];
	size_t low = 0, high = code->nr;

	if (address >= section->start && address < section->end)
		return section;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (code->section[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == code->nr || address < code->section[low].start)
		return NULL;
	code->last = low;
	return &code->section[low];
}

const unsigned char *ptl_code_bytes(struct ptl_code *code, uint64_t address,
				    uint64_t end, size_t *size)
{
	const struct ptl_section *section = ptl_code_section(code, address);

	if (section == NULL || end <= address)
		return NULL;
	*size = (size_t)((end < section->end ? end : section->end) - address);
	return section->bytes + (address - section->start);
}

unsigned int ptl_code_known(struct ptl_code *code, uint64_t address)
{
	const struct ptl_section *section = ptl_code_at(code, address);

	return section != NULL ? section->known[address - section->start] : 0;
}

void ptl_code_mark(struct ptl_code *code, uint64_t start, uint64_t end,
		   unsigned int known)
{
	struct ptl_section *section = ptl_code_at(code, start);

	if (section == NULL)
		return;
	if (end > section->end)
		end = section->end;
	for (uint64_t at = start; at < end; at++)
		section->known[at - section->start] |= (unsigned char)known;
}

void ptl_code_unmark(struct ptl_code *code, uint64_t address,
		     unsigned int known)
{
	struct ptl_section *section = ptl_code_at(code, address);

	if (section != NULL)
		section->known[address - section->start] &=
			(unsigned char)~known;
}

void ptl_code_clear(struct ptl_code *code, unsigned int known)
{
	for (size_t i = 0; i < code->nr; i++) {
		const struct ptl_section *section = &code->section[i];

		for (uint64_t k = 0; section->known != NULL &&
				     k < section->end - section->start;
		     k++)
			section->known[k] &= (unsigned char)~known;
	}
}

bool ptl_code_has(struct ptl_code *code, uint64_t start, uint64_t end,
		  unsigned int known)
{
	const struct ptl_section *section = ptl_code_at(code, start);

	if (section == NULL)
		return false;
	for (uint64_t at = start; at < end && at < section->end; at++)
		if (section->known[at - section->start] & known)
			return true;
	return false;
}

bool ptl_code_is_free(struct ptl_code *code, uint64_t start, uint64_t end)
{
	const struct ptl_section *section = ptl_code_at(code, start);

	if (section == NULL || end > section->end)
		return false;
	for (uint64_t at = start; at < end; at++)
		if ((section->known[at - section->start] &
		     (PTL_BYTE_PADDING | PTL_BYTE_TARGET | PTL_BYTE_TAKEN)) !=
		    PTL_BYTE_PADDING)
			return false;
	return true;
}
