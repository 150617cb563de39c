/* SPDX-License-Identifier: MIT */
/* The patterns of -l and -r, with *, ? and [...] as in a shell. */
#ifndef PTL_PRELOAD_SETTINGS_PATTERN_H
#define PTL_PRELOAD_SETTINGS_PATTERN_H

#include "core/base.h"

/* Does the pattern match all of s? */
bool ptl_pattern_fits(const char *pattern, const char *s);

/* library: the name of a file, without directories; `libc' matches libc.so.6,
 * too. */
bool ptl_pattern_fits_library(const char *pattern, const char *library);

/* The number of letters to change, add or remove (Levenshtein distance); only
 * the beginnings of long words are compared. */
#define PTL_PATTERN_LETTERS 63
uint32_t ptl_pattern_distance(const char *a, const char *b);

#endif
