/* SPDX-License-Identifier: MIT */
/* Structures as text: {a=1, b={c=2.5, d=[1, 2]}, e="text"}. */
#ifndef PTL_TOOLS_LIB_ARGS_STRUCTURE_H
#define PTL_TOOLS_LIB_ARGS_STRUCTURE_H

#include <stddef.h>

#define PTL_STRUCTURE_TEXT 2048

/* By its members, which names of a prototype have (libptrace-events(7)), of
 * that many bytes.  All of it is foreign.  Returns the size of the text. */
size_t ptl_structure_text(char buf[PTL_STRUCTURE_TEXT], const char *members,
			  const void *bytes, size_t size);

#endif
