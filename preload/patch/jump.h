/* SPDX-License-Identifier: MIT */
/* What of patches depends on the processor: the jump that is written at a
 * place, and what of an arena's code has to be changed with the arena's place.
 */
#ifndef PTL_PRELOAD_PATCH_JUMP_H
#define PTL_PRELOAD_PATCH_JUMP_H

#include "core/base.h"
#include "core/format/patches.h"

#include <string.h>

#define PTL_JUMP_MIB UINT64_C(1048576)

/* A distance from where the word is, which has moved so far; false: that is too
 * far. */
PTL_INLINE bool ptl_jump_moved_far(int32_t *word, uint64_t by)
{
	int64_t moved = *word - (int64_t)by;

	*word = (int32_t)moved;
	return *word == moved;
}

#if defined(__aarch64__)

/* Of a jump, and what it leads to; distances at which there may be room, in
 * MiB. */
#define PTL_JUMP_REACH (127 * PTL_JUMP_MIB)
static const uint16_t ptl_jump_far[] = {1, 8, 16, 32, 64, 96};

#define PTL_JUMP_SIZE PTL_PATCH_WORD
#define PTL_JUMP_B 0x14000000u
#define PTL_JUMP_ADRP 0x90000000u

/* What an instruction leads to, likewise: b, of words; or adrp, of pages, with
 * the lowest two bits of that elsewhere. */
PTL_INLINE bool ptl_jump_moved(int32_t *word, uint64_t by)
{
	uint32_t insn = (uint32_t)*word;
	int64_t distance, reach = 1 << 25;

	if ((insn & 0xfc000000u) == PTL_JUMP_B) {
		distance = ((int32_t)(insn << 6) >> 6) - (int64_t)by / 4;
		insn = PTL_JUMP_B | ((uint32_t)distance & 0x03ffffffu);
	} else {
		distance = ((int32_t)(insn << 8) >> 13) * 4 +
			   (int32_t)(insn >> 29 & 3) - (int64_t)by / 4096;
		reach = (insn & 0x9f000000u) == PTL_JUMP_ADRP ? 1 << 20 : 0;
		insn = PTL_JUMP_ADRP | (insn & 31) |
		       ((uint32_t)distance & 3) << 29 |
		       ((uint32_t)(distance >> 2) & 0x7ffff) << 5;
	}
	*word = (int32_t)insn;
	return distance >= -reach && distance < reach;
}

/* The processor may have older code from there. */
PTL_INLINE void ptl_jump_flush(uintptr_t at, size_t size)
{
	__builtin___clear_cache((char *)at, (char *)at + size);
}

/* What is written at a place, to lead to an arena. */
PTL_INLINE void ptl_jump_make(const struct ptl_patch *patch, uintptr_t at,
			      uintptr_t arena,
			      unsigned char bytes[PTL_PATCH_LONG])
{
	uint32_t word = (uint32_t)((arena + patch->to - at) >> 2);

	word = PTL_JUMP_B | (word & 0x03ffffffu);
	memcpy(bytes, &word, sizeof(word));
}

#else

#define PTL_JUMP_REACH (2047 * PTL_JUMP_MIB)
static const uint16_t ptl_jump_far[] = {1, 64, 256, 512, 1024, 1536};

#define PTL_JUMP_SIZE PTL_PATCH_LONG

PTL_INLINE bool ptl_jump_moved(int32_t *word, uint64_t by)
{
	return ptl_jump_moved_far(word, by);
}

PTL_INLINE void ptl_jump_flush(uintptr_t at, size_t size)
{
	(void)at, (void)size;
}

PTL_INLINE void ptl_jump_make(const struct ptl_patch *patch, uintptr_t at,
			      uintptr_t arena,
			      unsigned char bytes[PTL_PATCH_LONG])
{
	int32_t distance = (int32_t)(arena + patch->to - (at + PTL_PATCH_LONG));

	if (patch->size == PTL_PATCH_SHORT) {
		bytes[0] = 0xeb;
		bytes[1] = (unsigned char)patch->distance;
		return;
	}
	bytes[0] = 0xe9;
	memcpy(bytes + 1, &distance, sizeof(distance));
}

#endif

#endif
