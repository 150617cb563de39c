/* SPDX-License-Identifier: MIT */
/* Prototypes of a library's functions, from its debug information. */
#ifndef PTL_TOOLS_OBJECTS_SIGNATURES_H
#define PTL_TOOLS_OBJECTS_SIGNATURES_H

#ifdef HAVE_LIBDW

#include <stdint.h>

#include "tools/prototypes/table.h"
#include "tools/symbolize/image.h"

/*
 * Adds the functions that the file offers to others, or those of others that
 * are declared there, by the names that they have there, if `wants' wants them.
 * Its debug information is opened only if
 * there is one of these; with none there, nothing is added.
 */
void ptl_signatures_add(struct ptl_prototypes *table, const char *path,
			bool is_declared,
			bool (*wants)(const char *name, void *arg), void *arg);

/* A function inside a file, by where it begins; and its code with names of what
 * is in it (libptrace-events(7)), to be freed, or NULL: nothing is known. */
struct ptl_signature {
	uint64_t address;
	char *prototype;
};

/* Finds the prototypes of these functions of a file, which have none yet. */
void ptl_signatures_find(struct ptl_signature *signature, size_t nr,
			 const struct ptl_elf_image *image, const char *path);

#endif

#endif
