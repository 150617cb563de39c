/* SPDX-License-Identifier: MIT */
/*
 * The walk.  A chunk's `read' word {generation, offset} is what has been
 * consumed for good; a cursor runs ahead of it.  Nothing in the chunk is
 * believed beyond its bounds.
 */
#include "core/cursor.h"

#include "core/chunk.h"
#include "core/slot.h"

#include <string.h>

static void take_span(struct ptl_cursor *cursor, const struct ptl_record *rec)
{
	if (rec->data_size != sizeof(cursor->span))
		return;
	memcpy(&cursor->span, rec->data, sizeof(cursor->span));
	cursor->has_span = true;
}

/* From the beginning of the chunk to where reading stopped: whose turn? */
static void begin(const struct ptl_map *map, uint32_t i, uint64_t read,
		  struct ptl_cursor *cursor)
{
	uint64_t end = PTL_MIN(ptl_read_offset(read), map->chunk_size);
	const unsigned char *base = ptl_map_chunk(map, i);
	struct ptl_record rec;

	*cursor = (struct ptl_cursor){.gen = ptl_read_gen(read)};
	while (cursor->pos < end &&
	       ptl_record_parse(base + cursor->pos,
				map->chunk_size - cursor->pos, &rec)) {
		if (rec.committed && rec.id == PTL_ID_SPAN)
			take_span(cursor, &rec);
		cursor->pos += rec.bytes;
	}
	cursor->pos = end & ~UINT64_C(7);
}

/* How far there can be records, and whether somebody may still write. */
static uint64_t limit(const struct ptl_map *map, uint32_t i, uint64_t own,
		      bool *open)
{
	uint64_t used = atomic_load_explicit(&map->table[i].used,
					     memory_order_relaxed) &
			~UINT64_C(7);

	*open = ptl_own_state(own) == PTL_CHUNK_OPEN;
	return *open ? map->chunk_size : PTL_MIN(used, map->chunk_size);
}

/*
 * Up to where a chunk of the calling thread has been given out: it reads, so
 * it is not recording, and what it has not finished there it never will.
 */
static uint64_t given_out(const struct ptl_map *map, uint32_t i, uint32_t gen)
{
	const struct ptl_slot *slot = ptl_slot;

	for (unsigned int s = 0; slot && s < PTL_MAX_STREAMS; s++) {
		const struct ptl_slot_stream *own = &slot->stream[s];

		if (own->map && own->map->id == map->id &&
		    ptl_word_chunk(own->word) == i &&
		    ptl_word_gen(own->word) == gen)
			return ptl_word_offset(own->word);
	}
	return map->chunk_size;
}

enum ptl_peek ptl_cursor_peek(const struct ptl_map *map, uint32_t i,
			      struct ptl_cursor *cursor,
			      enum ptl_patience patience,
			      struct ptl_record *rec)
{
	const unsigned char *base = ptl_map_chunk(map, i);
	/* Pairs with own_change() in chunk.c and the take-over there. */
	uint64_t own =
		atomic_load_explicit(&map->table[i].own, memory_order_acquire);
	uint64_t read =
		atomic_load_explicit(&map->table[i].read, memory_order_acquire);
	/* What is older was cleared. */
	uint64_t cleared =
		atomic_load_explicit(&map->head->cleared, memory_order_relaxed);
	uint32_t state = ptl_own_state(own);
	bool open, wait, mine = ptl_own_tid(own) == ptl_slot_tid;
	uint64_t end;

	if (state == PTL_CHUNK_FREE || state > PTL_CHUNK_PARTIAL ||
	    ptl_own_gen(own) != ptl_read_gen(read))
		return PTL_PEEK_NOTHING;
	if (cursor->gen != ptl_read_gen(read) ||
	    cursor->pos < ptl_read_offset(read))
		begin(map, i, read, cursor);
	end = limit(map, i, own, &open);
	wait = (open || ptl_own_pinned(own)) && patience != PTL_PATIENCE_LAST;
	if (cursor->hole) {
		cursor->pos = cursor->hole - 1;
		cursor->hole = 0;
	}
	while (cursor->pos < end &&
	       ptl_record_parse(base + cursor->pos, end - cursor->pos, rec)) {
		bool zero = !rec->committed && rec->id == PTL_ID_PAD;

		if (rec->committed && rec->id < PTL_ID_LIMIT &&
		    ptl_record_counter(rec->time, cursor->span.counter) >=
			    cleared) {
			rec->before = cursor->stack_end == cursor->pos ?
					      cursor->pos - cursor->stack :
					      0;
			return PTL_PEEK_EVENT;
		}
		/* Zero: the frontier, or a place reserved this instant.  A
		 * hole looked behind once before is not waited for again. */
		if (!rec->committed && wait &&
		    !(mine && cursor->pos < given_out(map, i, cursor->gen))) {
			if (patience == PTL_PATIENCE_ORDER &&
			    (zero || cursor->pos >= cursor->passed))
				return PTL_PEEK_NOTHING;
			if (!cursor->hole)
				cursor->hole = cursor->pos + 1;
			if (!zero)
				cursor->passed = PTL_MAX(cursor->passed,
							 cursor->pos + 1);
		}
		if (rec->committed && rec->id == PTL_ID_SPAN)
			take_span(cursor, rec);
		if (rec->committed && rec->id == PTL_ID_STACK) {
			cursor->stack = cursor->pos;
			cursor->stack_end = cursor->pos + rec->bytes;
		}
		cursor->pos += rec->bytes;
	}
	if (open || cursor->hole)
		return PTL_PEEK_NOTHING;
	/* What is left at the end makes no sense. */
	cursor->pos = end;
	return PTL_PEEK_ALL;
}

void ptl_cursor_step(struct ptl_cursor *cursor, const struct ptl_record *rec)
{
	cursor->pos += rec->bytes;
}

bool ptl_cursor_consume(const struct ptl_map *map, uint32_t i,
			struct ptl_cursor *cursor)
{
	uint64_t read =
		atomic_load_explicit(&map->table[i].read, memory_order_relaxed);
	uint64_t done = cursor->hole ? cursor->hole - 1 : cursor->pos;

	/* Pairs with take_over() in chunk.c: one of the two wins. */
	return ptl_read_gen(read) == cursor->gen &&
	       atomic_compare_exchange_strong_explicit(
		       &map->table[i].read, &read, ptl_read(cursor->gen, done),
		       memory_order_acq_rel, memory_order_relaxed);
}

bool ptl_cursor_mark(const struct ptl_map *map, uint32_t i,
		     const struct ptl_cursor *cursor,
		     const struct ptl_record *rec)
{
	uint64_t *word = (uint64_t *)(ptl_map_chunk(map, i) + cursor->pos);
	uint64_t old = __atomic_load_n(word, __ATOMIC_RELAXED), to;

	if (!(old & PTL_RECORD_COMMITTED) ||
	    old >> 32 != (rec->time & UINT32_MAX))
		return false;
	to = old | (uint64_t)PTL_ID_DONE << PTL_RECORD_ID_SHIFT;
	to &= ~((uint64_t)(PTL_ID_DONE ^ PTL_RECORD_ID_MASK)
		<< PTL_RECORD_ID_SHIFT);
	return __atomic_compare_exchange_n(word, &old, to, false,
					   __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
