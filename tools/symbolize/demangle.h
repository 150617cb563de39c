/* SPDX-License-Identifier: MIT */
/*
 * Demangles names of Rust, D and OCaml, and of C++ with the runtime library of
 * g++, if it is installed; without it, or if switched off, names stay as they
 * are.
 */
#ifndef PTL_TOOLS_SYMBOLIZE_DEMANGLE_H
#define PTL_TOOLS_SYMBOLIZE_DEMANGLE_H

void ptl_demangle_off(void);

/* Either the name or a new string. */
const char *ptl_demangle(const char *name);

#endif
