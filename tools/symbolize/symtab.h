/* SPDX-License-Identifier: MIT */
/* The functions of a file by address: one name for each address, the best. */
#ifndef PTL_TOOLS_SYMBOLIZE_SYMTAB_H
#define PTL_TOOLS_SYMBOLIZE_SYMTAB_H

#include "tools/symbolize/image.h"

struct ptl_symbol {
	uint64_t value, end;
	const char *name;
	const char *shown;  /* demangled, once asked for; or NULL */
	unsigned int outer; /* the one around it, or PTL_SYMTAB_NONE */
	unsigned char rank; /* among the names of an address: least is best */
	bool is_sized;
};

#define PTL_SYMTAB_NONE UINT32_MAX

/* All zero: empty. */
struct ptl_symtab {
	struct ptl_symbol *symbol;
	size_t nr, room;
};

/*
 * Adds a symbol; the name has to stay.  Without a size it reaches to the next
 * one, at most to the limit.
 */
void ptl_symtab_add(struct ptl_symtab *table, const GElf_Sym *sym,
		    const char *name, uint64_t limit, bool is_hidden);

/*
 * Adds those of a file, which has to be kept (ptl_image_keep).  Returns
 * whether it has a full table, not only the dynamic one.
 */
bool ptl_symtab_read(struct ptl_symtab *table, struct ptl_image *image);

/* When all have been added. */
void ptl_symtab_sort(struct ptl_symtab *table);

/* The function that has this byte, or NULL. */
struct ptl_symbol *ptl_symtab_find(const struct ptl_symtab *table,
				   uint64_t value);

#endif
