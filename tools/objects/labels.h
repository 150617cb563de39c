/* SPDX-License-Identifier: MIT */
/*
 * Names of a function's parameters, and of the constants of their types: text
 * behind the code of a prototype (libptrace-events(7)), an item for the result
 * and for each parameter, with commas between.
 */
#ifndef PTL_TOOLS_OBJECTS_LABELS_H
#define PTL_TOOLS_OBJECTS_LABELS_H

#ifdef HAVE_LIBDW

#include <elfutils/libdw.h>
#include <stdbool.h>

#define PTL_LABELS_SIZE 1024

struct ptl_labels {
	size_t size;
	unsigned int nr; /* items */
	char text[PTL_LABELS_SIZE];
};

/* Adds an item: its name, or NULL, and its type, that of the entry; NULL: of
 * that nothing is to be said.  What there is no room for is left out. */
void ptl_labels_add(struct ptl_labels *labels, const char *name,
		    Dwarf_Die *entry);

/* Adds a member of a structure, whose type is a letter, to the last item.
 * False: there is no room. */
bool ptl_labels_add_member(struct ptl_labels *labels, const char *name,
			   char letter, unsigned int offset);

#endif

#endif
