/* SPDX-License-Identifier: MIT */
/*
 * Texts and lists that are elsewhere: structures that say where, and how many
 * elements there are, as &str, String and Vec of Rust, and std::string,
 * std::string_view and std::vector of libstdc++.
 */
#ifndef PTL_TOOLS_OBJECTS_SLICE_H
#define PTL_TOOLS_OBJECTS_SLICE_H

#ifdef HAVE_LIBDW

#include <elfutils/libdw.h>
#include <stdbool.h>

struct ptl_list_type {
	unsigned int shape; /* PTL_SLICE_* */
	char letter;	    /* of an element; c: it is a text */
	Dwarf_Die of;	    /* its type */
};

/* False: it is none of these, or its elements are no simple ones. */
bool ptl_slice_of(Dwarf_Die *type, struct ptl_list_type *slice);

#endif

#endif
