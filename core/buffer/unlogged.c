/* SPDX-License-Identifier: MIT */
/*
 * What is left in the chunks when the log cannot be written: lost, unless the
 * log is completed later.  Nothing is consumed here.
 */
#include "core/buffer/unlogged.h"

#include "core/buffer/chunk.h"
#include "core/format/record.h"

#include <string.h>
#include <trace.h>

uint64_t ptl_unlogged_from(const struct ptl_map *map, uint32_t i, uint64_t read)
{
	uint64_t logged = atomic_load_explicit(&map->table[i].logged,
					       memory_order_relaxed);

	if (map->head->attr.stream_policy != POSIX_TRACE_LOOP)
		return ptl_read_offset(read);
	if (ptl_read_gen(logged) != ptl_read_gen(read))
		return 0;
	return PTL_MIN(ptl_read_offset(logged), ptl_read_offset(read));
}

/* Up to where there may be records in a chunk; 0: it has none that count. */
static uint64_t end_of(const struct ptl_map *map, uint32_t i, uint64_t read)
{
	/* Pairs with ptl_chunk_change(). */
	uint64_t own =
		atomic_load_explicit(&map->table[i].own, memory_order_acquire);
	uint32_t state = ptl_own_state(own);

	/* A writer that takes a chunk over counts what is in it. */
	if (state == PTL_CHUNK_FREE || state > PTL_CHUNK_PARTIAL ||
	    ptl_own_gen(own) != ptl_read_gen(read) || read & PTL_READ_TAKEN)
		return 0;
	return state == PTL_CHUNK_OPEN ?
		       map->chunk_size :
		       ptl_used(map,
				atomic_load_explicit(&map->table[i].used,
						     memory_order_relaxed));
}

static uint64_t count(const struct ptl_map *map, uint32_t i)
{
	uint64_t read =
		atomic_load_explicit(&map->table[i].read, memory_order_relaxed);
	uint64_t cleared =
		atomic_load_explicit(&map->head->cleared, memory_order_relaxed);
	uint64_t from = ptl_unlogged_from(map, i, read),
		 end = end_of(map, i, read);
	const unsigned char *base = ptl_map_chunk(map, i);
	struct ptl_shm_span span = {0};
	struct ptl_record rec;
	uint64_t events = 0;

	for (uint64_t at = 0;
	     at < end && ptl_record_next(base + at, end - at, &rec);
	     at += rec.bytes) {
		if (rec.committed && rec.id == PTL_ID_SPAN &&
		    rec.data_size == sizeof(span))
			memcpy(&span, rec.data, sizeof(span));
		events += at >= from && rec.committed &&
			  rec.id < PTL_ID_LIMIT &&
			  ptl_record_counter(rec.time, span.counter) >= cleared;
	}
	return events;
}

uint64_t ptl_unlogged_events(const struct ptl_map *map)
{
	uint64_t events = 0;

	uint32_t nr = ptl_map_present(map);

	for (uint32_t i = 0; i < nr; i++)
		events += count(map, i);
	return events;
}
