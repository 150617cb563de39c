/* SPDX-License-Identifier: MIT */
/* Structures as text: {a=1, b={c=2.5, d=[1, 2]}, e="text", f=Some(3)}. */
#ifndef PTL_TOOLS_LIB_ARGS_STRUCTURE_H
#define PTL_TOOLS_LIB_ARGS_STRUCTURE_H

#include <stdbool.h>
#include <stddef.h>

#define PTL_STRUCTURE_TEXT 2048

/* By its members, which names of a prototype have (libptrace-events(7)), of
 * that many bytes.  All of it is foreign.  Returns the size of the text. */
size_t ptl_structure_text(char buf[PTL_STRUCTURE_TEXT], const char *members,
			  const void *bytes, size_t size);

/* Elements of a kind, LETTER and constants, as text: [1, 2, ...] if it is cut;
 * as much as fits. */
size_t ptl_structure_list(char buf[PTL_STRUCTURE_TEXT], const char *kind,
			  const void *bytes, size_t size, bool is_cut);

/* Is it a tuple or one of several variants, (1, 2) or Some(5), and has not the
 * brackets of members? */
bool ptl_structure_is_one(const char *members);

#endif
