/* SPDX-License-Identifier: MIT */
/* Prototypes of a library's functions, from its debug information. */
#ifndef PTL_TOOLS_OBJECTS_SIGNATURES_H
#define PTL_TOOLS_OBJECTS_SIGNATURES_H

#ifdef HAVE_LIBDW

#include "tools/prototypes/table.h"

/*
 * Adds the functions that the file offers to others, by the names that they
 * have there, if `wants' wants them.  Its debug information is opened only if
 * there is one of these; with none there, nothing is added.
 */
void ptl_signatures_add(struct ptl_prototypes *table, const char *path,
			bool (*wants)(const char *name, void *arg), void *arg);

#endif

#endif
