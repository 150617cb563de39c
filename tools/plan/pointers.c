/* SPDX-License-Identifier: MIT */
/* Addresses of code in data; see pointers.h. */
#include "tools/plan/pointers.h"

#include <string.h>

#include "tools/plan/hooks.h"

#ifndef SHT_RELR
#define SHT_RELR 19
#endif

static uint64_t word_at(const unsigned char *bytes)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	return word;
}

/* If it is inside of a function, that has a jump which goes by addresses. */
static void mark_inside(struct ptl_plan *plan, uint64_t address,
			unsigned int known)
{
	struct ptl_plan_function *function;

	ptl_code_mark(&plan->code, address, address + 1, known);
	if (address < plan->code.low || address >= plan->code.high)
		return;
	function = ptl_plan_in(plan, address);
	if (function != NULL && function->start != address)
		function->has_addresses = true;
}

/* Code that has its address somewhere may be called. */
static void mark(struct ptl_plan *plan, uint64_t address)
{
	mark_inside(plan, address, PTL_BYTE_TARGET | PTL_BYTE_CALLED);
}

/* Only where an instruction begins: the word may be another number. */
static void mark_insn(struct ptl_plan *plan, uint64_t address)
{
	if (ptl_code_known(&plan->code, address) & PTL_BYTE_INSN)
		mark(plan, address);
}

/* The machines have no number of a type in common. */
static void read_rela(struct ptl_plan *plan, Elf_Scn *scn,
		      const GElf_Shdr *shdr)
{
	Elf *elf = plan->code.image.elf;
	Elf_Data *data = elf_getdata(scn, NULL);
	Elf_Data *symbols = elf_getdata(elf_getscn(elf, shdr->sh_link), NULL);
	GElf_Shdr names;
	GElf_Rela rela;
	GElf_Sym sym;

	if (gelf_getshdr(elf_getscn(elf, shdr->sh_link), &names) == NULL)
		names.sh_link = 0;
	for (int i = 0; gelf_getrela(data, i, &rela) != NULL; i++) {
		uint64_t value = (uint64_t)rela.r_addend;

		switch (GELF_R_TYPE(rela.r_info)) {
		case R_X86_64_RELATIVE:
		case R_X86_64_IRELATIVE:
		case R_AARCH64_RELATIVE:
		case R_AARCH64_IRELATIVE:
			mark(plan, value);
			break;
		case R_X86_64_64:
		case R_AARCH64_ABS64:
			if (gelf_getsym(symbols, (int)GELF_R_SYM(rela.r_info),
					&sym) != NULL &&
			    sym.st_shndx != SHN_UNDEF)
				mark(plan, sym.st_value + value);
			break;
		case R_X86_64_GLOB_DAT:
		case R_X86_64_JUMP_SLOT:
		case R_AARCH64_GLOB_DAT:
		case R_AARCH64_JUMP_SLOT:
			if (gelf_getsym(symbols, (int)GELF_R_SYM(rela.r_info),
					&sym) != NULL)
				ptl_hooks_word(plan, rela.r_offset,
					       elf_strptr(elf, names.sh_link,
							  sym.st_name));
			break;
		default:
			break;
		}
	}
}

static void read_relative(struct ptl_plan *plan, uint64_t place)
{
	size_t size;
	const unsigned char *bytes =
		ptl_code_bytes(&plan->code, place, place + 8, &size);

	if (bytes != NULL && size == 8)
		mark(plan, word_at(bytes));
}

/* An address, and then bits for the 63 words behind it, again and again. */
static void read_relr(struct ptl_plan *plan, Elf_Scn *scn)
{
	Elf_Data *data = elf_rawdata(scn, NULL);
	uint64_t place = 0;

	if (data == NULL || data->d_buf == NULL)
		return;
	for (size_t at = 0; at + 8 <= data->d_size; at += 8) {
		uint64_t word = word_at((unsigned char *)data->d_buf + at);

		if ((word & 1) == 0) {
			read_relative(plan, word);
			place = word + 8;
			continue;
		}
		for (uint64_t bit = 0; (word >>= 1) != 0; bit++)
			if (word & 1)
				read_relative(plan, place + 8 * bit);
		place += 63 * UINT64_C(8);
	}
}

static void read_words(struct ptl_plan *plan)
{
	for (size_t i = 0; i < plan->code.nr; i++) {
		const struct ptl_section *section = &plan->code.section[i];
		size_t size = section->end - section->start;

		if (section->known != NULL)
			continue;
		for (size_t at = -section->start & 7; at + 8 <= size; at += 8)
			mark_insn(plan, word_at(section->bytes + at));
	}
}

void ptl_pointers_read(struct ptl_plan *plan)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while ((scn = elf_nextscn(plan->code.image.elf, scn)) != NULL) {
		if (gelf_getshdr(scn, &shdr) == NULL ||
		    !(shdr.sh_flags & SHF_ALLOC))
			continue;
		if (shdr.sh_type == SHT_RELA)
			read_rela(plan, scn, &shdr);
		else if (shdr.sh_type == SHT_RELR)
			read_relr(plan, scn);
	}
	if (plan->code.is_fixed)
		read_words(plan);
}

/*
 * An entry for what cannot be leads behind the function, where padding is.  Not
 * all words up to `next' need be entries: an index may begin above 0, and its
 * table behind the address.
 */
void ptl_pointers_table(struct ptl_plan *plan, uint64_t address, uint64_t next,
			uint64_t *budget)
{
	const struct ptl_section *section =
		ptl_code_section(&plan->code, address);
	const unsigned char *bytes;
	size_t size;

	if (section == NULL)
		return;
	/* Among code it ends with its entries: else all code were a table. */
	if (section->known != NULL)
		next = address;
	bytes = section->bytes + (address - section->start);
	size = section->end - address;
	for (size_t at = 0; at + 4 <= size && *budget > 0; at += 4, --*budget) {
		int32_t distance;
		uint64_t to;

		memcpy(&distance, bytes + at, sizeof(distance));
		to = address + (uint64_t)(int64_t)distance;
		if (ptl_code_known(&plan->code, to) &
		    (PTL_BYTE_INSN | PTL_BYTE_PADDING))
			mark_inside(plan, to, PTL_BYTE_TARGET);
		else if (address + at >= next)
			break;
	}
}
