/* SPDX-License-Identifier: MIT */
/* The patterns of -l, -r and -f, with *, ? and [...] as in a shell. */
#ifndef PTL_PRELOAD_SETTINGS_PATTERN_H
#define PTL_PRELOAD_SETTINGS_PATTERN_H

#include "core/base.h"

/* Does the pattern match all of s? */
bool ptl_pattern_fits(const char *pattern, const char *s);

/* library: the name of a file, without directories; `libc' matches libc.so.6,
 * too. */
bool ptl_pattern_fits_library(const char *pattern, const char *library);

/* Of "OBJECT:NAME" of -f the colon, or NULL: one beside another one is of a C++
 * name.  Not more than so many characters are looked at. */
const char *ptl_pattern_colon(const char *text, size_t size);

/*
 * Does the object of -f (NULL: the program) mean one by its file's name,
 * without directories?  `*' means neither libc nor the loader; nothing means
 * libptrace.so or libunwind.
 */
bool ptl_pattern_means_object(const char *object, const char *name,
			      bool is_program);

/* Does any of those in a list, with commas between?  Not by a path: what is
 * meant by that is known before. */
bool ptl_pattern_list_means_object(const char *list, const char *name,
				   bool is_program);

/* Has any of them a role behind it, NAME=malloc (ptrace-run --allocator)? */
bool ptl_pattern_list_has_role(const char *list);

/* The number of letters to change, add or remove (Levenshtein distance); only
 * the beginnings of long words are compared. */
#define PTL_PATTERN_LETTERS 63
uint32_t ptl_pattern_distance(const char *a, const char *b);

#endif
