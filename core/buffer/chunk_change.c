/* SPDX-License-Identifier: MIT */
#include "core/buffer/chunk_change.h"

#include "core/buffer/loss.h"
#include "core/format/record.h"

void ptl_chunk_clean(struct ptl_map *map, uint32_t index, uint64_t held,
		     uint32_t next_state)
{
	struct ptl_shm_chunk *chunk = &map->table[index];
	uint32_t gen = ptl_gen_next(ptl_own_gen(held));
	uint32_t tid = next_state == PTL_CHUNK_FREE ? 0 : ptl_own_tid(held);

	ptl_record_bound(ptl_map_chunk(map, index), map->chunk_size);
	atomic_store_explicit(&chunk->used, 0, memory_order_relaxed);
	atomic_store_explicit(&chunk->span, 0, memory_order_relaxed);
	atomic_store_explicit(&chunk->base, 0, memory_order_relaxed);
	/* The generation comes round again; this does not. */
	atomic_store_explicit(&chunk->life, ptl_chunk_next_seq(map) + 1,
			      memory_order_relaxed);
	atomic_store_explicit(&chunk->read, ptl_read(gen, 0),
			      memory_order_relaxed);
	ptl_chunk_change(chunk, held, ptl_own(next_state, gen, tid));
}

uint64_t ptl_chunk_tell_unread(struct ptl_map *map, uint32_t index,
			       uint64_t held)
{
	struct ptl_shm_chunk *chunk = &map->table[index];
	uint64_t read, events, since = 0;

	/* Pairs with ptl_cursor_consume() and _mark(): one of the two wins. */
	read = atomic_fetch_or_explicit(&chunk->read, PTL_READ_TAKEN,
					memory_order_seq_cst);
	events = ptl_loss_unread(map, index, read, &since);
	if (events)
		ptl_loss_add(map, events, since);
	ptl_chunk_change(chunk, held, held & ~(uint64_t)PTL_CHUNK_LOSING);
	return held & ~(uint64_t)PTL_CHUNK_LOSING;
}
