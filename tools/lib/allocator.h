/* SPDX-License-Identifier: MIT */
/*
 * Functions that count as malloc() and its like: ROLE=NAME as --allocator takes
 * it, and the end that a pattern of -f has for it, NAME=ROLE.
 */
#ifndef PTL_TOOLS_LIB_ALLOCATOR_H
#define PTL_TOOLS_LIB_ALLOCATOR_H

#include <stdbool.h>
#include <stddef.h>

#include "core/format/patches.h"

/* As messages say it. */
#define PTL_ALLOCATOR_WORDS \
	"malloc=NAME, calloc=, realloc=, aligned=, free=; a NAME that ends " \
	"so; c++ or rust; or several of these with commas between"

/*
 * Takes the first word of a list, which goes on behind it; or, if that is
 * wrong, leaves it there and returns NULL.  What is returned is patterns of -f,
 * with commas between, in memory of its own.
 */
char *ptl_allocator_patterns(const char **list);

/*
 * Cuts the role off a pattern, if it has one.  Optional: it is one of several
 * that are asked for together, of which a program may lack some.
 */
bool ptl_allocator_cut(char *pattern, struct ptl_patch_role *role,
		       bool *is_optional);

/* How many words it has to be given: the last of its arguments that counts. */
unsigned int ptl_allocator_arguments(const struct ptl_patch_role *role);

#endif
