/* SPDX-License-Identifier: MIT */
/* The functions of a file by address; see symtab.h. */
#include "tools/symbolize/symtab.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

/* How deep functions may be nested in each other. */
#define MAX_NESTING 64

/* The bits of a rank, from the worst on. */
enum {
	RANK_NO_FUNCTION = 32, /* a label */
	RANK_LOCAL = 16,
	RANK_HIDDEN = 8,      /* not the default version */
	RANK_UNDERSCORES = 2, /* twice that for two: read beats __read */
	RANK_WEAK = 1,
};

static unsigned char rank_of(const GElf_Sym *sym, const char *name,
			     bool is_hidden)
{
	unsigned int bind = GELF_ST_BIND(sym->st_info), rank = 0;

	if (GELF_ST_TYPE(sym->st_info) == STT_NOTYPE)
		rank += RANK_NO_FUNCTION;
	if (bind == STB_LOCAL)
		rank += RANK_LOCAL;
	if (bind == STB_WEAK)
		rank += RANK_WEAK;
	if (is_hidden)
		rank += RANK_HIDDEN;
	/* The mangled names of C++ and Rust begin with _Z and _R. */
	if (name[0] == '_' && name[1] != 'Z' && name[1] != 'R')
		rank += RANK_UNDERSCORES * (name[1] == '_' ? 2 : 1);
	return (unsigned char)rank;
}

bool ptl_symtab_is_label(const struct ptl_symbol *symbol)
{
	return symbol->rank & RANK_NO_FUNCTION;
}

void ptl_symtab_add(struct ptl_symtab *table, const GElf_Sym *sym,
		    const char *name, uint64_t limit, bool is_hidden)
{
	struct ptl_symbol *symbol;

	/* The symbol's end would overflow. */
	if (sym->st_value == UINT64_MAX)
		return;
	table->symbol = ptl_grow(table->symbol, table->nr, &table->room,
				 sizeof(*table->symbol));
	symbol = &table->symbol[table->nr++];
	memset(symbol, 0, sizeof(*symbol));
	symbol->value = sym->st_value;
	symbol->is_sized = sym->st_size > 0;
	symbol->end = symbol->is_sized ? sym->st_value + sym->st_size : limit;
	if (symbol->end <= symbol->value)
		symbol->end = symbol->value + 1;
	symbol->name = name;
	symbol->rank = rank_of(sym, name, is_hidden);
}

/*
 * Functions, and labels in code, since assembly often has no better symbols.
 * Without those that the assembler generates: $x, .L1.
 */
static bool is_function(const GElf_Sym *sym, const char *name,
			const GElf_Shdr *section)
{
	switch (GELF_ST_TYPE(sym->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
		return true;
	case STT_NOTYPE:
		return section->sh_flags & SHF_EXECINSTR && name[0] != '$' &&
		       name[0] != '.';
	default:
		return false;
	}
}

/* Cuts the version from name@VERSION or name@@VERSION. */
static const char *cut_version(const char *name, bool *is_hidden)
{
	const char *at = strchr(name + 1, '@');

	if (at == NULL)
		return name;
	*is_hidden = at[1] != '@';
	name = strndup(name, (size_t)(at - name));
	return name != NULL ? name : "?";
}

/* The symbol versions of a dynamic table, or NULL. */
static Elf_Data *find_versions(Elf *elf, size_t table)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while ((scn = elf_nextscn(elf, scn)) != NULL)
		if (gelf_getshdr(scn, &shdr) != NULL &&
		    shdr.sh_type == SHT_GNU_versym && shdr.sh_link == table)
			return elf_getdata(scn, NULL);
	return NULL;
}

static bool is_wanted(const struct ptl_symtab *table, const GElf_Sym *sym,
		      const char *name, const GElf_Shdr *section)
{
	if (table->is_of_data)
		return GELF_ST_TYPE(sym->st_info) == STT_OBJECT;
	return is_function(sym, name, section);
}

static void read_table(struct ptl_symtab *table, Elf *elf, Elf_Scn *scn,
		       const GElf_Shdr *shdr)
{
	Elf_Data *data = elf_getdata(scn, NULL), *versions = NULL;
	size_t section = 0;
	GElf_Shdr home;
	GElf_Sym sym;

	if (shdr->sh_type == SHT_DYNSYM)
		versions = find_versions(elf, elf_ndxscn(scn));
	for (int i = 1; gelf_getsym(data, i, &sym) != NULL; i++) {
		bool is_hidden = false;
		GElf_Versym version;
		const char *name;

		if (sym.st_shndx == SHN_UNDEF || sym.st_value == 0)
			continue;
		/* Symbols are nearly always in the order of their sections. */
		if (sym.st_shndx != section) {
			section = sym.st_shndx;
			if (gelf_getshdr(elf_getscn(elf, section), &home) ==
			    NULL)
				memset(&home, 0, sizeof(home));
		}
		name = elf_strptr(elf, shdr->sh_link, sym.st_name);
		if (name == NULL || name[0] == '\0' ||
		    !is_wanted(table, &sym, name, &home))
			continue;
		if (gelf_getversym(versions, i, &version) != NULL)
			is_hidden = version & 0x8000;
		name = cut_version(name, &is_hidden);
		ptl_symtab_add(table, &sym, name, home.sh_addr + home.sh_size,
			       is_hidden);
	}
}

bool ptl_symtab_read(struct ptl_symtab *table, struct ptl_elf_image *image)
{
	bool is_full = false;
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while ((scn = elf_nextscn(image->elf, scn)) != NULL) {
		if (gelf_getshdr(scn, &shdr) == NULL)
			continue;
		if (shdr.sh_type == SHT_SYMTAB || shdr.sh_type == SHT_DYNSYM)
			read_table(table, image->elf, scn, &shdr);
		if (shdr.sh_type == SHT_SYMTAB)
			is_full = true;
	}
	return is_full;
}

static int by_address(const void *a, const void *b)
{
	const struct ptl_symbol *left = a, *right = b;
	size_t left_size, right_size;

	if (left->value != right->value)
		return left->value < right->value ? -1 : 1;
	if (left->rank != right->rank)
		return left->rank < right->rank ? -1 : 1;
	left_size = strlen(left->name);
	right_size = strlen(right->name);
	if (left_size != right_size)
		return left_size < right_size ? -1 : 1;
	return strcmp(left->name, right->name);
}

/* Of several names for an address keeps the first one, with the largest size.
 */
static size_t merge_names(struct ptl_symbol *symbol, size_t nr)
{
	size_t last = 0;

	for (size_t i = 1; i < nr; i++) {
		struct ptl_symbol *best = &symbol[last];

		if (symbol[i].value != best->value) {
			symbol[++last] = symbol[i];
		} else if (symbol[i].is_sized &&
			   (!best->is_sized || symbol[i].end > best->end)) {
			best->is_sized = true;
			best->end = symbol[i].end;
		}
	}
	return last + 1;
}

void ptl_symtab_sort(struct ptl_symtab *table)
{
	struct ptl_symbol *symbol = table->symbol;
	size_t nr = 0;

	if (table->nr == 0)
		return;
	qsort(symbol, table->nr, sizeof(*symbol), by_address);
	table->nr = merge_names(symbol, table->nr);
	for (size_t i = 0; i < table->nr; i++) {
		size_t outer = nr > 0 ? nr - 1 : PTL_SYMTAB_NONE;

		while (outer != PTL_SYMTAB_NONE &&
		       symbol[outer].end <= symbol[i].value)
			outer = symbol[outer].outer;
		/* A label inside a function is not another function. */
		if (outer != PTL_SYMTAB_NONE && symbol[outer].is_sized &&
		    !symbol[i].is_sized)
			continue;
		if (outer != PTL_SYMTAB_NONE && !symbol[outer].is_sized) {
			symbol[outer].end = symbol[i].value;
			outer = symbol[outer].outer;
		}
		symbol[nr] = symbol[i];
		symbol[nr++].outer = (unsigned int)outer;
	}
	table->nr = nr;
}

/* Of main.cold, main.cold.3 the number of bytes before that; 0: it is none. */
static size_t whole_size(const char *name)
{
	const char *cold = strstr(name, ".cold");

	if (cold == NULL || (cold[5] != '\0' && cold[5] != '.'))
		return 0;
	return (size_t)(cold - name);
}

/*
 * Constructors and destructors of C++ mostly have two names, for the object and
 * for a part of a larger one; of the second, after which parts are named, only
 * the first is kept.
 */
static bool is_whole(const char *name, const char *part, size_t size)
{
	if (strlen(name) != size)
		return false;
	for (size_t i = 0; i < size; i++)
		if (name[i] != part[i] &&
		    (i == 0 || name[i] != '1' || part[i] != '2' ||
		     strchr("CD", part[i - 1]) == NULL))
			return false;
	return true;
}

const struct ptl_symbol *ptl_symtab_whole(const struct ptl_symtab *table,
					  const struct ptl_symbol *symbol)
{
	const struct ptl_symbol *whole = NULL;
	size_t size = whole_size(symbol->name);

	if (size == 0)
		return symbol;
	for (size_t i = 0; i < table->nr; i++) {
		if (!is_whole(table->symbol[i].name, symbol->name, size))
			continue;
		if (whole != NULL)
			return NULL;
		whole = &table->symbol[i];
	}
	return whole;
}

struct ptl_symbol *ptl_symtab_find(const struct ptl_symtab *table,
				   uint64_t value)
{
	size_t low = 0, high = table->nr;
	struct ptl_symbol *symbol;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->symbol[middle].value <= value)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return NULL;
	symbol = &table->symbol[low - 1];
	for (int i = 0; symbol->end <= value && i < MAX_NESTING; i++) {
		if (symbol->outer == PTL_SYMTAB_NONE)
			return NULL;
		symbol = &table->symbol[symbol->outer];
	}
	return symbol->end > value ? symbol : NULL;
}
