/* SPDX-License-Identifier: MIT */
/* The steps that chunk.c, leftover.c and growth.c are made of. */
#ifndef PTL_CORE_BUFFER_CHUNK_CHANGE_H
#define PTL_CORE_BUFFER_CHUNK_CHANGE_H

#include "core/buffer/chunk_states.h"
#include "core/format/chunk_words.h"
#include "core/shm/map.h"
#include "core/sys/check.h"

/* Of `own'.  False: another thread got on. */
PTL_INLINE bool ptl_chunk_change(struct ptl_shm_chunk *chunk, uint64_t from,
				 uint64_t to)
{
	PTL_CHECK(ptl_chunk_may_change(from, to));
	/*
	 * Release what was done to the chunk, acquire what was done before.
	 * Pairs with every other ptl_chunk_change() and ptl_chunk_own().
	 */
	return atomic_compare_exchange_strong_explicit(&chunk->own, &from, to,
						       memory_order_acq_rel,
						       memory_order_relaxed);
}

PTL_INLINE uint64_t ptl_chunk_own(struct ptl_shm_chunk *chunk)
{
	/* Pairs with ptl_chunk_change(). */
	return atomic_load_explicit(&chunk->own, memory_order_acquire);
}

PTL_INLINE uint64_t ptl_chunk_used(const struct ptl_map *map,
				   struct ptl_shm_chunk *chunk)
{
	return ptl_used(
		map, atomic_load_explicit(&chunk->used, memory_order_relaxed));
}

PTL_INLINE uint64_t ptl_chunk_next_seq(struct ptl_map *map)
{
	return atomic_fetch_add_explicit(&map->head->claim_seq, 1,
					 memory_order_relaxed);
}

/* Empties a chunk that the caller holds as CLEANING, and gives it to
 * `next_state'. */
void ptl_chunk_clean(struct ptl_map *map, uint32_t index, uint64_t held,
		     uint32_t next_state);

/*
 * Of a chunk held as LOSING: no reader can consume what is in it from here on,
 * and what is then unread is counted as lost before the mark is taken away.  A
 * reader that sees the mark waits; one that does not sees the loss: none passes
 * a gap that is not counted.  Returns what is held then.
 */
uint64_t ptl_chunk_tell_unread(struct ptl_map *map, uint32_t index,
			       uint64_t held);

#endif
