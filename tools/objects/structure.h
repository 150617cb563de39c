/* SPDX-License-Identifier: MIT */
/* Structures that are passed and returned by value. */
#ifndef PTL_TOOLS_OBJECTS_STRUCTURE_H
#define PTL_TOOLS_OBJECTS_STRUCTURE_H

#ifdef HAVE_LIBDW

#include "tools/objects/labels.h"

/* In memory of the stack; in registers there are none of it. */
#define PTL_STRUCTURE_IN_MEMORY 'Y'

/* The letter of the structure that the entry's type is, by which registers it
 * is in; PTL_TYPE_STRUCT: not known. */
char ptl_structure_letter(Dwarf_Die *entry);

/* How many general registers it takes, and how many vector registers. */
unsigned int ptl_structure_general(char letter);
unsigned int ptl_structure_vector(char letter);

/* Adds its members to the item of the labels that was added last. */
void ptl_structure_label(struct ptl_labels *labels, Dwarf_Die *entry);

#endif

#endif
