/* SPDX-License-Identifier: MIT */
#include "core/buffer/leftover.h"

#include "core/buffer/chunk_change.h"
#include "core/buffer/slot.h"
#include "core/format/record.h"
#include "core/sys/ident.h"
#include "core/sys/syscall.h"

/* How far a thread that is no more has written. */
static uint64_t written(const struct ptl_map *map, uint32_t index)
{
	const unsigned char *base = ptl_map_chunk(map, index);
	uint64_t off = atomic_load_explicit(&map->table[index].span,
					    memory_order_relaxed) -
		       1;
	struct ptl_record rec;

	if (off % 8 || off >= map->chunk_size)
		off = 0;
	while (ptl_record_parse(base + off, map->chunk_size - off, &rec)) {
		if (ptl_record_is_none(&rec))
			return off;
		off += rec.bytes;
	}
	return map->chunk_size;
}

void ptl_leftover_fill(const struct ptl_map *map, uint32_t index, uint64_t end)
{
	unsigned char *base = ptl_map_chunk(map, index);
	uint64_t at = written(map, index);

	if (end > map->chunk_size || at + PTL_RECORD_HEADER > end)
		return;
	ptl_record_bound(base + end, map->chunk_size - end);
	ptl_record_pad(base + at, end - at);
}

/* What a thread that is gone left of one chunk; true if something changed. */
static bool put_to_use(struct ptl_map *map, uint32_t index, uint64_t own)
{
	struct ptl_shm_chunk *chunk = &map->table[index];
	uint32_t state = ptl_own_state(own), gen = ptl_own_gen(own);
	uint64_t held;

	if (state == PTL_CHUNK_CLEANING) {
		held = ptl_own(PTL_CHUNK_CLEANING | (own & PTL_CHUNK_LOSING),
			       gen, (uint32_t)ptl_sys_gettid());
		if (!ptl_chunk_change(chunk, own, held))
			return false;
		if (held & PTL_CHUNK_LOSING)
			held = ptl_chunk_tell_unread(map, index, held);
		ptl_chunk_clean(map, index, held, PTL_CHUNK_FREE);
		return true;
	}
	if (state != PTL_CHUNK_OPEN && !ptl_own_pinned(own))
		return false;
	/* Held, so that of two threads that come one writes `used'. */
	held = ptl_own(PTL_CHUNK_OPEN, gen, (uint32_t)ptl_sys_gettid());
	if (own != held && !ptl_chunk_change(chunk, own, held))
		return false;
	/* Of one that is closed more may be consumed than was begun. */
	if (state == PTL_CHUNK_OPEN)
		atomic_store_explicit(&chunk->used, written(map, index),
				      memory_order_relaxed);
	else
		ptl_leftover_fill(map, index, ptl_chunk_used(map, chunk));
	return ptl_chunk_change(chunk, held,
				ptl_own(PTL_CHUNK_PARTIAL, gen, 0));
}

void ptl_leftover_abandoned(struct ptl_map *map, uint32_t index, uint32_t tid)
{
	uint64_t own = ptl_chunk_own(&map->table[index]);

	if (!map->tid_mark && ptl_own_tid(own) == tid)
		put_to_use(map, index, own);
}

bool ptl_leftover_reap_one(struct ptl_map *map, uint32_t index)
{
	uint64_t own = ptl_chunk_own(&map->table[index]);
	uint32_t state = ptl_own_state(own), tid = ptl_own_tid(own);

	if (tid == 0 || tid & PTL_TID_FOREIGN ||
	    (state == PTL_CHUNK_CLOSED && !ptl_own_pinned(own)) ||
	    map->tid_mark || ptl_tid_alive((int)tid))
		return false;
	return put_to_use(map, index, own);
}

bool ptl_leftover_strays(struct ptl_map *map, uint32_t tid,
			 const uint64_t *word, unsigned int spare)
{
	uint64_t before = __atomic_load_n(word, __ATOMIC_RELAXED);
	uint32_t keep =
		ptl_word_holds(before) ? ptl_word_chunk(before) : UINT32_MAX;
	uint32_t oldest = UINT32_MAX, nr = 0;
	uint32_t present = ptl_map_present(map);
	uint64_t best_own = 0, to;

	/* Numbers of another namespace may be those of two threads. */
	if (tid & PTL_TID_FOREIGN)
		return false;
	for (uint32_t i = 0; i < present; i++) {
		uint64_t own = ptl_chunk_own(&map->table[i]);
		uint32_t state = ptl_own_state(own);

		if (i == keep || ptl_own_tid(own) != tid ||
		    own & PTL_CHUNK_KEPT ||
		    (state != PTL_CHUNK_OPEN && state != PTL_CHUNK_CLEANING))
			continue;
		nr++;
		if (oldest != UINT32_MAX &&
		    atomic_load_explicit(&map->table[i].seq,
					 memory_order_relaxed) >
			    atomic_load_explicit(&map->table[oldest].seq,
						 memory_order_relaxed))
			continue;
		oldest = i;
		best_own = own;
	}
	if (nr <= spare)
		return false;
	/* A handler came in between and moved on: look again. */
	if (__atomic_load_n(word, __ATOMIC_RELAXED) != before)
		return true;
	if (ptl_own_state(best_own) == PTL_CHUNK_CLEANING) {
		if (best_own & PTL_CHUNK_LOSING)
			best_own = ptl_chunk_tell_unread(map, oldest, best_own);
		ptl_chunk_clean(map, oldest, best_own, PTL_CHUNK_FREE);
		return true;
	}
	to = (best_own & ~(uint64_t)PTL_CHUNK_BITS) | PTL_CHUNK_CLOSED;
	atomic_store_explicit(&map->table[oldest].used, map->chunk_size,
			      memory_order_relaxed);
	ptl_chunk_change(&map->table[oldest], best_own, to);
	return true;
}

unsigned int ptl_leftover_reap(struct ptl_map *map)
{
	unsigned int changed = 0;
	uint32_t present = ptl_map_present(map);

	if (map->tid_mark)
		return 0;
	for (uint32_t i = 0; i < present; i++)
		changed += ptl_leftover_reap_one(map, i);
	return changed;
}
