/* SPDX-License-Identifier: MIT */
/* What people call a program: the last part of its argv[0]. */
#ifndef PTL_TOOLS_MODEL_PROGRAM_H
#define PTL_TOOLS_MODEL_PROGRAM_H

#include "tools/lib/args/decode.h"

/*
 * From the arguments of a process:start; NULL if they do not say it.  The same
 * pointer for the same name, never freed: there are few programs.
 */
const char *ptl_program_name(const struct ptl_args *args);
/* From the path of its file, or what it was called by: "make" of
 * "/usr/bin/make", and "bash" of a login shell's "-bash". */
const char *ptl_program_of_path(const char *path, size_t size);

/* Of a process:untraced: is the program traced in part, so that it says its
 * name? */
bool ptl_program_is_partly(const struct ptl_args *args);

#endif
