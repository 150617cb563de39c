/* SPDX-License-Identifier: MIT */
/* Structures that are passed and returned, by value or where they are. */
#ifndef PTL_TOOLS_OBJECTS_STRUCTURE_H
#define PTL_TOOLS_OBJECTS_STRUCTURE_H

#ifdef HAVE_LIBDW

#include "tools/objects/labels.h"

/* In memory of the stack, from where it is not known. */
#define PTL_STRUCTURE_IN_MEMORY 'Y'
/* On the stack, from the next word on. */
#define PTL_STRUCTURE_ON_STACK 'R'
/* Where one is; what is there is recorded, but no more than these bytes
 * (preload/hook/typed.c). */
#define PTL_STRUCTURE_POINTER 'r'
/* A result that is where the first argument says, not the result register. */
#define PTL_STRUCTURE_FIRST 'o'
/* A text or list, by two general registers; by where it is; and both. */
#define PTL_STRUCTURE_SLICE 'u'
#define PTL_STRUCTURE_SLICE_POINTER 'U'
#define PTL_STRUCTURE_SLICE_FIRST 'O'
#define PTL_STRUCTURE_MOST 128

/* Is the type one, or a union? */
bool ptl_structure_is(Dwarf_Die *type);

/* The letter of the structure that the entry's type is, by which registers it
 * is in, in a call as Rust makes them or as C does; PTL_TYPE_STRUCT: not known.
 */
char ptl_structure_letter(Dwarf_Die *entry, bool is_in_rust);

/* How many general registers it takes, and how many vector registers. */
unsigned int ptl_structure_general(char letter);
unsigned int ptl_structure_vector(char letter);

/* The structure that the entry's type is, or points to; false: it is none, or
 * nothing is known of what is in it. */
bool ptl_structure_of(Dwarf_Die *entry, Dwarf_Die *type);

/* Calls fn for each member that is no structure itself, also of those inside,
 * until it returns false.  Returns whether that was all. */
bool ptl_structure_each(Dwarf_Die *type,
			bool (*fn)(const struct ptl_member *member, void *arg),
			void *arg);

/* Adds its members to the item of the labels that was added last; in Rust: as
 * they are in registers there. */
void ptl_structure_label(struct ptl_labels *labels, Dwarf_Die *type,
			 bool is_in_rust);

#endif

#endif
