/* SPDX-License-Identifier: MIT */
/*
 * functions-lies SEED <PATCHES: changes some bytes of what says which file the
 * patches are for, where they are, and what is there; SEED 0: all bytes; below
 * 0: one byte of what is there; from 1000 on: of a prototype where its word or
 * its text is, which is out of all bounds then; from 2000 on: of a probe.  The
 * code that is to be run is left as it is: whoever may write that may run
 * anything.
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

static void lie_of_prototype(unsigned int seed)
{
	static const uint32_t wrong[] = {0x80000000, 0x10000, UINT32_MAX};
	struct ptl_patch_prototype prototype;
	struct ptl_patch_block block;
	unsigned char *at;

	memcpy(&block, bytes, sizeof(block));
	at = bytes + block.prototypes +
	     seed % block.nr_prototypes * sizeof(prototype);
	memcpy(&prototype, at, sizeof(prototype));
	if (seed % 4 == 0)
		prototype.word = wrong[seed % 3];
	else if (seed % 4 == 1)
		prototype.text = wrong[seed % 3];
	else
		prototype.text_size = seed % 4 == 2 ? wrong[seed % 3] : 7;
	memcpy(at, &prototype, sizeof(prototype));
}

/* Of a probe, or its first argument. */
static void lie_of_probe(unsigned int seed)
{
	static const uint32_t wrong[] = {0x80000000, 0x10000, UINT32_MAX};
	struct ptl_patch_argument argument;
	struct ptl_patch_probe probe;
	struct ptl_patch_block block;

	memcpy(&block, bytes, sizeof(block));
	memcpy(&probe, bytes + block.probes, sizeof(probe));
	memcpy(&argument, bytes + block.arguments, sizeof(argument));
	switch (seed % 8) {
	case 0:
		probe.word = wrong[seed / 8 % 3];
		break;
	case 1:
		probe.argument = wrong[seed / 8 % 3];
		break;
	case 2:
		probe.nr_arguments = wrong[seed / 8 % 3];
		break;
	case 3:
		probe.text = wrong[seed / 8 % 3];
		break;
	case 4:
		probe.text_size = seed / 8 % 2 ? wrong[0] : 5;
		break;
	case 5:
		argument.kind = 9;
		break;
	case 6:
		argument.size = seed / 8 % 2 ? 0 : 16;
		break;
	default:
		argument.base = 16;
	}
	memcpy(bytes + block.probes, &probe, sizeof(probe));
	memcpy(bytes + block.arguments, &argument, sizeof(argument));
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
	if (seed >= 2000)
		lie_of_probe((unsigned int)seed);
	else if (seed >= 1000)
		lie_of_prototype((unsigned int)seed);
	for (int i = 0; seed > 0 && seed < 1000 && i <= seed % 3; i++)
		lie(size);
	if (seed < 1000 && seed % 5 == 4)
		size = (size_t)rand() % size;
	if (seed < 0)
		lie_of_code((unsigned int)-seed);
	return fwrite(bytes, 1, size, stdout) == size ? 0 : 1;
}
