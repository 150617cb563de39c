/* SPDX-License-Identifier: MIT */
/* Blocks of memory by their addresses. */
#ifndef PTL_TOOLS_MODEL_BLOCKS_H
#define PTL_TOOLS_MODEL_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ptl_block {
	uint64_t address; /* 0: the place is free */
	int64_t size;
	void *site;    /* who allocated it */
	int64_t until; /* when the call returned that did, if another block was
			* there when it began; else 0 */
};

/* All zero: empty. */
struct ptl_blocks {
	struct ptl_block *block;
	size_t nr, room;
};

/* The block at that address, or NULL; valid until the next put or take. */
struct ptl_block *ptl_blocks_find(const struct ptl_blocks *blocks,
				  uint64_t address);

/* There must be none at that address. */
void ptl_blocks_put(struct ptl_blocks *blocks, const struct ptl_block *block);
void ptl_blocks_take(struct ptl_blocks *blocks, struct ptl_block *block);
void ptl_blocks_free(struct ptl_blocks *blocks);

#endif
