/* SPDX-License-Identifier: MIT */
/* Names of Rust's functions as they are in symbol tables: by the rules of "v0",
 * and those before, which look like C++ and end with a hash. */
#ifndef PTL_TOOLS_SYMBOLIZE_RUST_H
#define PTL_TOOLS_SYMBOLIZE_RUST_H

#include <stddef.h>

/* A new string; NULL: it is none of these, or no memory. */
char *ptl_rust_demangle(const char *name, size_t size);

#endif
