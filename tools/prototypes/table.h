/* SPDX-License-Identifier: MIT */
/*
 * Functions and what is known of their prototypes; and names of types.
 *
 * A prototype is a code of one letter for a type: that of the result, then
 * those of the parameters (man/libptrace-events.7 has the letters), and behind
 * a space there may be names.
 */
#ifndef PTL_TOOLS_PROTOTYPES_TABLE_H
#define PTL_TOOLS_PROTOTYPES_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#define PTL_CODE_SIZE 16 /* with the null; longer ones end in MORE */
#define PTL_CODE_MORE '.'

struct ptl_prototypes;

struct ptl_prototypes *ptl_prototypes_new(void);
void ptl_prototypes_free(struct ptl_prototypes *table);

/* Adds a function; true: it was not there.  One that is there already gets the
 * new code only if `replace'. */
bool ptl_prototypes_add(struct ptl_prototypes *table, const char *name,
			size_t size, const char *code, bool replace);

/* Adds the name of a type, with anything but a null pointer. */
void ptl_prototypes_add_type(struct ptl_prototypes *table, const char *name,
			     size_t size, void *type);
void *ptl_prototypes_find_type(struct ptl_prototypes *table, const char *name,
			       size_t size);

/* Calls fn for each function, or each type, by name in ascending order. */
void ptl_prototypes_each(struct ptl_prototypes *table, bool types,
			 void (*fn)(const char *name, const char *code,
				    void *type, void *arg),
			 void *arg);

#endif
