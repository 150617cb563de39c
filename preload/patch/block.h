/* SPDX-License-Identifier: MIT */
/*
 * The patches of files, as a stream hands them to its processes
 * (core/format/patches.h): foreign bytes, which write code.  What is out of its
 * bounds is not there; and nothing is patched with what does not fit exactly
 * what is there (patch.c).
 */
#ifndef PTL_PRELOAD_PATCH_BLOCK_H
#define PTL_PRELOAD_PATCH_BLOCK_H

#include "core/base.h"
#include "core/format/patches.h"

struct ptl_patch_view {
	struct ptl_patch_block head; /* a copy, which nobody changes */
	const struct ptl_patch *patch;
	const unsigned char *was;
	const uint32_t *relocation;
	const char *told;
	const unsigned char *arena;
	const struct ptl_patch_prototype *prototype;
	const unsigned char *texts;
	const struct ptl_patch_probe *probe;
	const struct ptl_patch_argument *argument;
};

/* The block there, of `size' bytes that there are at most; *next is how many it
 * has.  False: nothing more can be read. */
bool ptl_block_read(struct ptl_patch_view *block, const unsigned char *bytes,
		    size_t size, size_t *next);

/* What is in front of the blocks: the socket at which more can be asked for, a
 * copy; "" if there is none.  Returns how many bytes that takes. */
size_t ptl_block_source(struct ptl_patch_source *source,
			const unsigned char *bytes, size_t size);

/* A line of what is told: "COUNT TEXT", COUNT below 0 for what is not traced.
 * False: there are no more. */
struct ptl_block_line {
	int64_t nr;
	const char *text;
	size_t size;
};
bool ptl_block_line(const char *told, size_t told_size, size_t *at,
		    struct ptl_block_line *line);

#endif
