/* SPDX-License-Identifier: MIT */
/* Patterns of -l and -r: with *, ? and [...], as a shell has them. */
#ifndef PTL_PRELOAD_SETTINGS_PATTERN_H
#define PTL_PRELOAD_SETTINGS_PATTERN_H

#include "core/base.h"

/* Does the pattern fit all of s? */
bool ptl_pattern_fits(const char *pattern, const char *s);

/* A file's name, without its directories; `libc' fits libc.so.6, too. */
bool ptl_pattern_fits_library(const char *pattern, const char *library);

#endif
