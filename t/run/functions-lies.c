/* SPDX-License-Identifier: MIT */
/*
 * functions-lies SEED <PATCHES: changes some bytes of what says which file the
 * patches are for, where they are, and what is there; SEED 0: all bytes; below
 * 0: one byte of what is there.  The code that is to be run is left as it is:
 * whoever may write that may run anything.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/format/patches.h"

static unsigned char bytes[1 << 20];

/* Where a patch leads, and how an arena is made, is not to be changed. */
static int is_code(const struct ptl_patch_block *block, size_t at)
{
	size_t in = (at - block->patches) % sizeof(struct ptl_patch);

	if (at < sizeof(*block))
		return at >= offsetof(struct ptl_patch_block, relocations);
	if (at < block->was)
		return (in >= 8 && in < 12) || in == 13;
	return 0;
}

static void lie(size_t size)
{
	struct ptl_patch_block block;
	size_t at;

	memcpy(&block, bytes, sizeof(block));
	do
		at = (size_t)rand() % (block.was + block.was_size);
	while (is_code(&block, at) || at >= size);
	bytes[at] ^= (unsigned char)(1 + rand() % 255);
}

static void lie_of_code(unsigned int seed)
{
	struct ptl_patch_block block;

	memcpy(&block, bytes, sizeof(block));
	bytes[block.was + seed * 7919 % block.was_size] ^= 0x40;
}

int main(int argc, char **argv)
{
	size_t size = fread(bytes, 1, sizeof(bytes), stdin);
	int seed = argc > 1 ? atoi(argv[1]) : 0;

	if (size < sizeof(struct ptl_patch_block))
		return 1;
	srand((unsigned int)seed);
	for (size_t i = 0; seed == 0 && i < size; i++)
		bytes[i] = (unsigned char)rand();
	for (int i = 0; seed > 0 && i <= seed % 3; i++)
		lie(size);
	if (seed % 5 == 4)
		size = (size_t)rand() % size;
	if (seed < 0)
		lie_of_code((unsigned int)-seed);
	return fwrite(bytes, 1, size, stdout) == size ? 0 : 1;
}
