/* SPDX-License-Identifier: MIT */
/* The functions of a file, or its variables, by address: for each address the
 * best name. */
#ifndef PTL_TOOLS_SYMBOLIZE_SYMTAB_H
#define PTL_TOOLS_SYMBOLIZE_SYMTAB_H

#include "tools/symbolize/image.h"

struct ptl_symbol {
	uint64_t value, end;
	const char *name;
	const char *shown;  /* demangled, once it was needed; or NULL */
	unsigned int outer; /* the function around it, or PTL_SYMTAB_NONE */
	unsigned char rank; /* among the names of an address: the lowest wins */
	bool is_sized;
};

#define PTL_SYMTAB_NONE UINT32_MAX

/* All zero: empty. */
struct ptl_symtab {
	struct ptl_symbol *symbol;
	size_t nr, room;
	bool is_of_data; /* of variables; set before they are read */
};

/*
 * Adds a symbol, whose name must stay valid.  A symbol without a size extends
 * to the next one, at most to the limit.
 */
void ptl_symtab_add(struct ptl_symtab *table, const GElf_Sym *sym,
		    const char *name, uint64_t limit, bool is_hidden);

/*
 * Adds the symbols of a file, which must be kept open (ptl_image_keep()).
 * Returns whether it has a full table, not only the dynamic one.
 */
bool ptl_symtab_read(struct ptl_symtab *table, struct ptl_elf_image *image);

/* Call it when all symbols have been added. */
void ptl_symtab_sort(struct ptl_symtab *table);

/* Is it a label of assembly, not said to be a function? */
bool ptl_symtab_is_label(const struct ptl_symbol *symbol);

/*
 * The function whose part this is: compilers move what is seldom executed, as
 * handlers of exceptions, elsewhere, and name it main.cold.  Itself, if it is
 * no part; NULL: none has that name, or several.
 */
const struct ptl_symbol *ptl_symtab_whole(const struct ptl_symtab *table,
					  const struct ptl_symbol *symbol);

/* What contains this byte, or NULL. */
struct ptl_symbol *ptl_symtab_find(const struct ptl_symtab *table,
				   uint64_t value);

#endif
