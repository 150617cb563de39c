/* SPDX-License-Identifier: MIT */
/*
 * Patches that were made before, of the same file, for the same question, by
 * the same program: files in $PTRACE_PLAN_CACHE,
 * $XDG_CACHE_HOME/libptrace/plans or ~/.cache/libptrace/plans.  To look at all
 * code of a program takes up to a second, to find its patches here a few ms.
 *
 * Patches are code that is written into programs, so a directory or a file
 * that is another user's, or that another may write to, is not looked at. Where
 * anything is wrong with it, it is as if there were none.
 */
#ifndef PTL_TOOLS_FUNCTIONS_CACHE_H
#define PTL_TOOLS_FUNCTIONS_CACHE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "tools/plan/pieces.h"

/* What the patches depend on; all zero: nothing is kept. */
struct ptl_cache_key {
	char *text;
	size_t size; /* with the null */
};

/* File: the one to be looked at.  Question: all else that matters. */
void ptl_cache_begin(struct ptl_cache_key *key, const struct stat *file,
		     const char *path, const char *question);
void ptl_cache_end(struct ptl_cache_key *key);

/* Adds what was kept; false, and nothing is added: it is to be made. */
bool ptl_cache_find(const struct ptl_cache_key *key, struct ptl_buffer *to);

/* If it cannot, nobody is told: next time they are made again. */
void ptl_cache_keep(const struct ptl_cache_key *key, const void *bytes,
		    size_t size);

#endif
