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

#define PTL_LABELS_SIZE 2048

struct ptl_labels {
	size_t size;
	unsigned int nr; /* items */
	char text[PTL_LABELS_SIZE];
};

/* Adds an item: its name, or NULL, and its type, that of the entry; NULL: of
 * that nothing is to be said.  What there is no room for is left out. */
void ptl_labels_add(struct ptl_labels *labels, const char *name,
		    Dwarf_Die *entry);

/* A member of a structure, that is none itself. */
struct ptl_member {
	const char *name; /* NULL: it has none */
	char letter;
	unsigned int offset;
	unsigned int count;	  /* of an array, or 0 */
	unsigned int bits, shift; /* if bits is not 0: that many of it */
	Dwarf_Die *type;	  /* that may have constants; or NULL */
};

/* Adds to the last item the size of the structure that it is. */
bool ptl_labels_add_size(struct ptl_labels *labels, unsigned int size);

/* Adds to it of which kind the elements are of what it leads to. */
bool ptl_labels_add_elements(struct ptl_labels *labels, char letter,
			     Dwarf_Die *type);

/* Adds members to it; where one begins or ends that has some itself; that there
 * are more.  False: there is no room. */
bool ptl_labels_add_member(struct ptl_labels *labels,
			   const struct ptl_member *member);
bool ptl_labels_nest(struct ptl_labels *labels, const char *name, char bracket);
/* Where variants begin, by what tells them; and one of them, by its value, or
 * NULL for all other values. */
bool ptl_labels_variants(struct ptl_labels *labels, const char *name,
			 const struct ptl_member *discriminant);
bool ptl_labels_variant(struct ptl_labels *labels, const Dwarf_Word *value);
void ptl_labels_end(struct ptl_labels *labels);

#endif

#endif
