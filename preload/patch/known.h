/* SPDX-License-Identifier: MIT */
/*
 * What is known of a patched function whose arguments and result are recorded:
 * memory of the process, that the word behind the one with the function's
 * address leads to.  Once made, it is there for good.
 */
#ifndef PTL_PRELOAD_PATCH_KNOWN_H
#define PTL_PRELOAD_PATCH_KNOWN_H

#include "preload/hook/typed.h"
#include "preload/patch/block.h"

/* Words between what a function that may loop to its first instruction has on
 * the stack, and where its registers are saved: the red zone. */
#if defined(__aarch64__)
#define PTL_KNOWN_ABOVE 0
#else
#define PTL_KNOWN_ABOVE 16
#endif

struct ptl_known {
	uint64_t callee;
	const unsigned char *text; /* data of its call:symbol */
	uint32_t text_size;
	_Atomic bool is_told; /* that is recorded */
	struct ptl_patch_role role;
	struct ptl_typed typed;
};

/* Told of a function with a role: it begins, and whether its end will be told;
 * and ends (told_role.c). */
void ptl_told_role_begin(const struct ptl_known *known, const uint64_t *ret,
			 bool has_end);
void ptl_told_role_end(const struct ptl_known *known, const uint64_t *ret,
		       uint64_t value);

/* For all functions of a block that have a prototype; word: those of its arena,
 * with addresses of the process.  NULL: done; or why not. */
const char *ptl_known_make(const struct ptl_patch_view *block, uint64_t *word);

/* Of an object that comes again: what was made before, for an arena that is the
 * same, if it is; and it is to be told again. */
void ptl_known_take(const struct ptl_patch_view *block, uint64_t *word,
		    const uint64_t *before);
void ptl_known_again(const struct ptl_patch_view *block, const uint64_t *word);

#endif
