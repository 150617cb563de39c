/* SPDX-License-Identifier: MIT */
/*
 * Names of D and OCaml, as "module.function": what stands in them as it is,
 * without types.  Those of D that have templates or nested functions in them
 * stay as they are.
 */
#ifndef PTL_TOOLS_SYMBOLIZE_DOTTED_H
#define PTL_TOOLS_SYMBOLIZE_DOTTED_H

/* A new string; NULL: it is none of these. */
char *ptl_dotted_demangle(const char *name);

#endif
