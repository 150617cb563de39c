/* SPDX-License-Identifier: MIT */
/*
 * Blocks of memory by their addresses; see blocks.h.  Each is at the place of
 * its hash, or at the next that is free.
 */
#include "tools/model/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

static size_t home_of(const struct ptl_blocks *blocks, uint64_t address)
{
	return (address * UINT64_C(0x9e3779b97f4a7c15) >> 20) &
	       (blocks->room - 1);
}

struct ptl_block *ptl_blocks_find(const struct ptl_blocks *blocks,
				  uint64_t address)
{
	if (blocks->room == 0 || address == 0)
		return NULL;
	for (size_t i = home_of(blocks, address);;
	     i = (i + 1) & (blocks->room - 1)) {
		if (blocks->block[i].address == address)
			return &blocks->block[i];
		if (blocks->block[i].address == 0)
			return NULL;
	}
}

static void place(struct ptl_blocks *blocks, const struct ptl_block *block)
{
	size_t i = home_of(blocks, block->address);

	while (blocks->block[i].address != 0)
		i = (i + 1) & (blocks->room - 1);
	blocks->block[i] = *block;
}

void ptl_blocks_put(struct ptl_blocks *blocks, const struct ptl_block *block)
{
	struct ptl_blocks old = *blocks;

	if (2 * (old.nr + 1) > old.room) {
		blocks->room = old.room == 0 ? 64 : 2 * old.room;
		blocks->block =
			ptl_alloc(blocks->room * sizeof(*blocks->block));
		for (size_t i = 0; i < old.room; i++)
			if (old.block[i].address != 0)
				place(blocks, &old.block[i]);
		free(old.block);
	}
	place(blocks, block);
	blocks->nr++;
}

/* What follows moves up, so that no free place is before what is looked for. */
void ptl_blocks_take(struct ptl_blocks *blocks, struct ptl_block *block)
{
	size_t mask = blocks->room - 1;
	size_t hole = (size_t)(block - blocks->block), i = hole;

	blocks->nr--;
	for (;;) {
		size_t home;

		i = (i + 1) & mask;
		if (blocks->block[i].address == 0)
			break;
		home = home_of(blocks, blocks->block[i].address);
		if (((i - home) & mask) < ((i - hole) & mask))
			continue;
		blocks->block[hole] = blocks->block[i];
		hole = i;
	}
	blocks->block[hole].address = 0;
}

void ptl_blocks_free(struct ptl_blocks *blocks)
{
	free(blocks->block);
	memset(blocks, 0, sizeof(*blocks));
}
