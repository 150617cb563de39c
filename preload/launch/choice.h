/* SPDX-License-Identifier: MIT */
/* Which programs of the tree to trace: --only and --skip. */
#ifndef PTL_PRELOAD_LAUNCH_CHOICE_H
#define PTL_PRELOAD_LAUNCH_CHOICE_H

#include "core/base.h"

/*
 * For the constructor, after ptl_env_init().  Is this program to be traced?
 * Its names are those of argv[0], which may be NULL, and of its file; one of
 * them has to match.
 */
bool ptl_choice_is_ours(char *const *argv);

/* Is that one of a list of patterns, with commas between? */
bool ptl_choice_fits(const char *list, const char *name);

#endif
