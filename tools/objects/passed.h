/* SPDX-License-Identifier: MIT */
/*
 * Is a function inside a program called as its parameters say?  Nobody but the
 * compiler calls one that it does not export: it may pass none that is always
 * the same, or that is not used, and return nothing if nobody looks at it.
 */
#ifndef PTL_TOOLS_OBJECTS_PASSED_H
#define PTL_TOOLS_OBJECTS_PASSED_H

#ifdef HAVE_LIBDW

#include <elfutils/libdw.h>
#include <stdbool.h>

/* Where the parameters before are. */
struct ptl_passed {
	Dwarf_Addr entry;
	bool is_by_gcc;	     /* what that has changed has another name */
	bool is_as_declared; /* so its result is there */
	bool is_a64;	     /* of aarch64; else of x86-64 */
	unsigned int general, vector;
	bool is_stack_unknown;
};

/* Of a function that begins there. */
void ptl_passed_begin(struct ptl_passed *passed, Dwarf_Die *function,
		      Dwarf_Addr entry);

/* The next parameter, of a type of that letter: is it where calls have it?  By
 * where it is when the function begins. */
bool ptl_passed_is_there(struct ptl_passed *passed, Dwarf_Die *parameter,
			 char letter);

#endif

#endif
