/* SPDX-License-Identifier: MIT */
/* Functions inside of programs (ptrace-run -f): which of the patches that a
 * stream has for its processes are for this one. */
#ifndef PTL_PRELOAD_PATCH_PATCH_H
#define PTL_PRELOAD_PATCH_PATCH_H

#include "core/base.h"

/* Does the environment ask for any? */
bool ptl_patch_wanted(char *const *envp);

/* For the constructor: no code of the program has run.  exe: its file. */
void ptl_patch_init(char *const *envp, const char *exe);

#endif
