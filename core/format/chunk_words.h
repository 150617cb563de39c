/* SPDX-License-Identifier: MIT */
/* What stands in the words `own' and `read' of a chunk (layout.h). */
#ifndef PTL_CORE_FORMAT_CHUNK_WORDS_H
#define PTL_CORE_FORMAT_CHUNK_WORDS_H

#include "core/format/layout.h"

PTL_INLINE uint64_t ptl_own(uint32_t state, uint32_t gen, uint32_t tid)
{
	return (uint64_t)tid << 40 | (uint64_t)(gen & 0xffff) << 16 | state;
}

PTL_INLINE uint32_t ptl_own_state(uint64_t own)
{
	return own & 0xf;
}

PTL_INLINE bool ptl_own_pinned(uint64_t own)
{
	return own & PTL_CHUNK_PINNED;
}

PTL_INLINE uint32_t ptl_own_gen(uint64_t own)
{
	return own >> 16 & 0xffff;
}

PTL_INLINE uint32_t ptl_own_tid(uint64_t own)
{
	return (uint32_t)(own >> 40);
}

PTL_INLINE uint32_t ptl_gen_next(uint32_t gen)
{
	gen = (gen + 1) & 0xffff;
	return gen ? gen : 1;
}

PTL_INLINE uint64_t ptl_read(uint32_t gen, uint64_t offset)
{
	return (uint64_t)gen << 48 | offset;
}

PTL_INLINE uint32_t ptl_read_gen(uint64_t read)
{
	return (uint32_t)(read >> 48);
}

PTL_INLINE uint64_t ptl_read_offset(uint64_t read)
{
	return read & (PTL_READ_TAKEN - 1);
}

/* Streams begin with different generations: a thread that was interrupted in
 * one does not go on in its successor. */
PTL_INLINE void ptl_chunk_init(struct ptl_shm_chunk *chunk, uint64_t stream)
{
	uint32_t gen = ptl_gen_next((uint32_t)stream);

	atomic_init(&chunk->own, ptl_own(PTL_CHUNK_FREE, gen, 0));
	atomic_init(&chunk->read, ptl_read(gen, 0));
}

#endif
