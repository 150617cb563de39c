/* SPDX-License-Identifier: MIT */
/* Names of the stubs of a procedure linkage table; see plt.h. */
#include "tools/symbolize/plt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

/* A word where the loader stores the address of a function. */
struct slot {
	uint64_t address;
	const char *name;
};

struct slots {
	struct slot *slot; /* by address */
	size_t nr, room;
	const char **lazy; /* by index in .rela.plt; NULL: no name */
	size_t nr_lazy, lazy_room;
};

/* A part of a section with stubs. */
struct code {
	uint64_t address;
	const unsigned char *bytes;
	size_t size;
};

static const char *name_of(Elf *elf, const GElf_Rela *rela, Elf_Data *symbols,
			   const GElf_Shdr *table)
{
	const char *name = NULL;
	GElf_Sym sym;

	if (gelf_getsym(symbols, (int)GELF_R_SYM(rela->r_info), &sym) != NULL)
		name = elf_strptr(elf, table->sh_link, sym.st_name);
	return name != NULL && name[0] != '\0' ? name : NULL;
}

static void read_relocations(struct slots *slots, Elf *elf, Elf_Scn *scn,
			     const GElf_Shdr *shdr, bool is_lazy)
{
	Elf_Data *data = elf_getdata(scn, NULL), *symbols;
	GElf_Shdr table;
	GElf_Rela rela;

	scn = elf_getscn(elf, shdr->sh_link);
	if (gelf_getshdr(scn, &table) == NULL || table.sh_type != SHT_DYNSYM)
		return;
	symbols = elf_getdata(scn, NULL);
	for (int i = 0; gelf_getrela(data, i, &rela) != NULL; i++) {
		const char *name = name_of(elf, &rela, symbols, &table);

		if (is_lazy) {
			slots->lazy = ptl_grow(slots->lazy, slots->nr_lazy,
					       &slots->lazy_room, sizeof(name));
			slots->lazy[slots->nr_lazy++] = name;
		}
		if (name == NULL)
			continue;
		slots->slot = ptl_grow(slots->slot, slots->nr, &slots->room,
				       sizeof(*slots->slot));
		slots->slot[slots->nr].address = rela.r_offset;
		slots->slot[slots->nr++].name = name;
	}
}

static int by_address(const void *a, const void *b)
{
	const struct slot *left = a, *right = b;

	if (left->address == right->address)
		return 0;
	return left->address < right->address ? -1 : 1;
}

static const char *name_of_slot(const struct slots *slots, uint64_t address)
{
	struct slot key = {address, NULL}, *slot;

	if (slots->nr == 0)
		return NULL;
	slot = bsearch(&key, slots->slot, slots->nr, sizeof(key), by_address);
	return slot != NULL ? slot->name : NULL;
}

static void add_stub(struct ptl_symtab *table, uint64_t address, size_t size,
		     const char *name)
{
	GElf_Sym sym = {.st_value = address, .st_size = size};
	char *stub;

	if (name != NULL && asprintf(&stub, "%s@plt", name) > 0)
		ptl_symtab_add(table, &sym, stub, 0, false);
}

/* Code is little-endian, whatever the byte order of the data is. */
static uint32_t get32(const unsigned char *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[3] << 24;
}

/*
 * A stub jumps through its slot: [endbr64] [bnd] jmp *x(%rip).  With lazy
 * binding and IBT there is a second kind, which has only the index: endbr64;
 * push $x; jmp.
 */
static const char *name_x86_64(const struct slots *slots,
			       const struct code *stub)
{
	const unsigned char *bytes = stub->bytes;
	const char *name;
	uint32_t index;

	for (size_t i = 0; i + 6 <= stub->size; i++) {
		if (bytes[i] != 0xff || bytes[i + 1] != 0x25)
			continue;
		name = name_of_slot(
			slots, stub->address + i + 6 +
				       (uint64_t)(int32_t)get32(bytes + i + 2));
		if (name != NULL)
			return name;
	}
	if (stub->size < 16 || get32(bytes) != 0xfa1e0ff3 || bytes[4] != 0x68)
		return NULL;
	index = get32(bytes + 5);
	return index < slots->nr_lazy ? slots->lazy[index] : NULL;
}

static void read_x86_64(struct ptl_symtab *table, const struct slots *slots,
			const struct code *code, size_t step)
{
	if (step != 8 && step != 32)
		step = 16;
	for (size_t at = 0; at + step <= code->size; at += step) {
		struct code stub = {code->address + at, code->bytes + at, step};

		add_stub(table, stub.address, step, name_x86_64(slots, &stub));
	}
}

/* [bti c;] adrp x16, page; ldr x17, [x16, offset]; add; br x17 */
static void read_aarch64(struct ptl_symtab *table, const struct slots *slots,
			 const struct code *code)
{
	for (size_t at = 0; at + 16 <= code->size; at += 4) {
		uint32_t adrp = get32(code->bytes + at);
		uint32_t ldr = get32(code->bytes + at + 4);
		uint64_t page = (code->address + at) & ~UINT64_C(4095);
		size_t start = at;

		if ((adrp & 0x9f00001f) != 0x90000010 ||
		    (ldr & 0xffc003ff) != 0xf9400211)
			continue;
		page += (uint64_t)(int32_t)((adrp & 0xffffe0) << 8) >> 11 << 12;
		page += (uint64_t)(adrp >> 29 & 3) << 12;
		if (at >= 4 && get32(code->bytes + at - 4) == 0xd503245f)
			start -= 4;
		add_stub(table, code->address + start, at + 16 - start,
			 name_of_slot(slots, page + (ldr >> 10 & 4095) * 8));
	}
}

void ptl_plt_read(struct ptl_symtab *table, const struct ptl_elf_image *image)
{
	unsigned int machine = image->head.e_machine;
	struct slots slots = {0};
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	if (machine != EM_X86_64 && machine != EM_AARCH64)
		return;
	while ((scn = elf_nextscn(image->elf, scn)) != NULL)
		if (gelf_getshdr(scn, &shdr) != NULL &&
		    shdr.sh_type == SHT_RELA)
			read_relocations(
				&slots, image->elf, scn, &shdr,
				strcmp(ptl_image_section_name(image, &shdr),
				       ".rela.plt") == 0);
	if (slots.nr > 0)
		qsort(slots.slot, slots.nr, sizeof(*slots.slot), by_address);
	while ((scn = elf_nextscn(image->elf, scn)) != NULL) {
		Elf_Data *data;
		struct code code;

		if (gelf_getshdr(scn, &shdr) == NULL ||
		    shdr.sh_type != SHT_PROGBITS ||
		    strncmp(ptl_image_section_name(image, &shdr), ".plt", 4) !=
			    0)
			continue;
		data = elf_rawdata(scn, NULL);
		if (data == NULL || data->d_buf == NULL)
			continue;
		code = (struct code){shdr.sh_addr, data->d_buf, data->d_size};
		if (machine == EM_X86_64)
			read_x86_64(table, &slots, &code, shdr.sh_entsize);
		else
			read_aarch64(table, &slots, &code);
	}
	free(slots.slot);
	free(slots.lazy);
}
