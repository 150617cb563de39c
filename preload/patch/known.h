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
#define PTL_KNOWN_ABOVE 16

struct ptl_known {
	uint64_t callee;
	const unsigned char *text; /* data of its call:symbol */
	uint32_t text_size;
	_Atomic bool is_told; /* that is recorded */
	struct ptl_typed typed;
};

/* For all functions of a block that have a prototype; word: those of its arena,
 * with addresses of the process.  False: there is no memory, or what the block
 * says of them is out of its bounds. */
bool ptl_known_make(const struct ptl_patch_view *block, uint64_t *word);

#endif
