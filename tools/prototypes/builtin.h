/* SPDX-License-Identifier: MIT */
/*
 * What the public headers of the machine declare, made when libptrace is built:
 * functions, "NAME CODE\n" by name in ascending order; and names of types,
 * "NAME LETTER\n".
 */
#ifndef PTL_TOOLS_PROTOTYPES_BUILTIN_H
#define PTL_TOOLS_PROTOTYPES_BUILTIN_H

extern const char ptl_builtin_functions[];
extern const char ptl_builtin_types[];

#endif
