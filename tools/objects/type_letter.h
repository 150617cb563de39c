/* SPDX-License-Identifier: MIT */
/* The letters of a prototype for types, as debug information has them. */
#ifndef PTL_TOOLS_OBJECTS_TYPE_LETTER_H
#define PTL_TOOLS_OBJECTS_TYPE_LETTER_H

#ifdef HAVE_LIBDW

#include <elfutils/libdw.h>
#include <stdbool.h>

/* What the entry's type is, without its names; false: void. */
bool ptl_type_of(Dwarf_Die *entry, Dwarf_Die *type, bool *is_const);

/* Is it written in Rust, which passes structures in a way of its own? */
bool ptl_type_is_of_rust(Dwarf_Die *type);

/* Is what is passed of a structure a copy of all of it?  False: nobody knows.
 */
bool ptl_type_is_by_value(Dwarf_Die *type);

/* Of the type of a parameter, or of what a function returns. */
char ptl_type_letter_of(Dwarf_Die *entry);

/* Does the caller say by a first argument where the result goes?  False with
 * *is_known false: nobody knows. */
bool ptl_type_letter_is_hidden(Dwarf_Die *function, bool *is_known);

#endif

#endif
