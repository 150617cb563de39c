/* SPDX-License-Identifier: MIT */
/*
 * Which functions are inlined where, by debug information (DWARF).  That of a
 * function is read when an address in it is first looked up.
 */
#ifndef PTL_TOOLS_SYMBOLIZE_INLINED_H
#define PTL_TOOLS_SYMBOLIZE_INLINED_H

#ifdef HAVE_LIBDW

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "tools/symbolize/ranges.h"

/* A function where it is inlined, and where it is called. */
struct ptl_inlined {
	struct ptl_inlined *caller; /* NULL: one that is not inlined */
	Dwarf_Die die;
	bool is_read; /* is what follows known? */

	const char *name; /* NULL: not known */
	const char *path; /* of the call; NULL: not known */
	int line;
	bool is_artificial; /* stands for its call, with all inside */
};

/* The functions of a compilation unit. */
struct ptl_inlined_functions {
	Dwarf_Die unit;
	bool is_read, is_nested_read;
	struct ptl_ranges functions, nested; /* nested: in another one */
};

/* The innermost that is inlined at the address, with all its callers read, or
 * NULL. */
const struct ptl_inlined *
ptl_inlined_find(struct ptl_inlined_functions *functions, uint64_t address);

#endif

#endif
