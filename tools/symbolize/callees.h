/* SPDX-License-Identifier: MIT */
/*
 * The names of the functions that a process calls, from its call:symbol events.
 * A forked child begins with its parent's table, so tables are shared and
 * copied on write, as those of modules.c are.
 */
#ifndef PTL_TOOLS_SYMBOLIZE_CALLEES_H
#define PTL_TOOLS_SYMBOLIZE_CALLEES_H

#include <stddef.h>
#include <stdint.h>

#include "tools/lib/args/decode.h"

struct ptl_callees;

struct ptl_callee {
	uint64_t address;
	const char *function; /* NULL: the place is free */
	const char *library;
	unsigned int function_size, library_size;
	const char *code; /* of its prototype, or NULL */
};

/* NULL is an empty table. */
struct ptl_callees *ptl_callees_share(struct ptl_callees *table);
void ptl_callees_release(struct ptl_callees *table);

/* What changes a table puts a copy in the place of a shared one first. */
void ptl_callees_put(struct ptl_callees **table, uint64_t address,
		     const struct ptl_arg *function,
		     const struct ptl_arg *library, const struct ptl_arg *code);
void ptl_callees_drop(struct ptl_callees **table, uint64_t start, uint64_t end);

const struct ptl_callee *ptl_callees_find(const struct ptl_callees *table,
					  uint64_t address);

#endif
