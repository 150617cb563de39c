/* SPDX-License-Identifier: MIT */
/*
 * The walk.  A chunk's `read' word {generation, offset} is what has been
 * consumed for good; a cursor runs ahead of it.  Nothing in the chunk is
 * believed beyond its bounds.
 */
#include "core/buffer/cursor.h"

#include "core/buffer/chunk.h"
#include "core/buffer/slot.h"
#include "core/format/sysevents.h"

#include <string.h>

#define AHEAD 2048

static void take_span(struct ptl_cursor *cursor, const struct ptl_record *rec)
{
	if (rec->data_size != sizeof(cursor->span))
		return;
	memcpy(&cursor->span, rec->data, sizeof(cursor->span));
	cursor->has_span = true;
	cursor->last = PTL_MAX(cursor->last, cursor->span.counter);
}

/* From the beginning of the chunk to where reading stopped. */
static void begin(const struct ptl_map *map, uint32_t i, uint64_t read,
		  uint64_t life, struct ptl_cursor *cursor)
{
	uint64_t end = PTL_MIN(ptl_read_offset(read), map->chunk_size);
	const unsigned char *base = ptl_map_chunk(map, i);
	struct ptl_record rec;

	*cursor = (struct ptl_cursor){.gen = ptl_read_gen(read),
				      .begun = cursor->begun + 1,
				      .life = life};
	while (cursor->pos < end &&
	       ptl_record_next(base + cursor->pos,
			       map->chunk_size - cursor->pos, &rec)) {
		if (rec.committed && rec.id == PTL_ID_SPAN)
			take_span(cursor, &rec);
		cursor->pos += rec.bytes;
	}
	cursor->pos = end & ~UINT64_C(7);
}

/*
 * Up to where a chunk of the calling thread has been given out: it reads, so
 * it is not recording, and what it has not finished there it never will.
 */
static uint64_t given_out(const struct ptl_map *map, uint32_t i, uint32_t gen)
{
	const struct ptl_slot *slot = ptl_thread.slot;

	for (unsigned int s = 0; s < PTL_MAX_STREAMS; s++) {
		const struct ptl_slot_stream *own = &slot->stream[s];
		/* Once: a handler may forget it, or fork and wipe it. */
		const struct ptl_map *theirs =
			__atomic_load_n(&own->map, __ATOMIC_RELAXED);

		if (theirs && theirs->id == map->id &&
		    ptl_word_chunk(own->word) == i &&
		    ptl_word_gen(own->word) == gen)
			return ptl_word_offset(own->word);
	}
	return map->chunk_size;
}

/* What there is of a chunk, as its words said at one look. */
struct extent {
	bool open;    /* more may be written */
	uint64_t end; /* no record is beyond this */
	/* Records not committed may yet be, but not those before `dead'. */
	bool wait;
	uint64_t dead;
};

static struct extent extent(const struct ptl_map *map, uint32_t i, uint64_t own)
{
	const struct ptl_shm_chunk *chunk = &map->table[i];
	bool mine = ptl_own_tid(own) == ptl_thread.tid;
	struct extent ext = {.open = ptl_own_state(own) == PTL_CHUNK_OPEN};
	uint64_t used;

	ext.wait = ext.open || (ptl_own_pinned(own) && !mine);
	if (ext.open) {
		ext.end = map->chunk_size;
		ext.dead = mine ? given_out(map, i, ptl_own_gen(own)) :
				  atomic_load_explicit(&chunk->base,
						       memory_order_relaxed);
		return ext;
	}
	used = atomic_load_explicit(&chunk->used, memory_order_relaxed);
	ext.end = ptl_used(map, used);
	return ext;
}

/* At a record not committed: does it hold us up? */
static bool hold(struct ptl_cursor *cursor, const struct extent *ext,
		 enum ptl_patience patience)
{
	if (!ext->wait || cursor->pos < ext->dead ||
	    patience == PTL_PATIENCE_LAST)
		return false;
	if (patience == PTL_PATIENCE_ORDER && cursor->pos >= cursor->passed)
		return true;
	if (!cursor->hole) {
		cursor->hole = cursor->pos + 1;
		cursor->hole_span = cursor->span;
	}
	return false;
}

/* The span of an event behind a hole.  What was a hole when it was passed may
 * have been that span, and is written since: the event is. */
static void span_behind(const unsigned char *base, struct ptl_cursor *cursor)
{
	uint64_t at = cursor->hole - 1;
	struct ptl_record rec;

	cursor->span = cursor->hole_span;
	for (; at < cursor->pos &&
	       ptl_record_next(base + at, cursor->pos - at, &rec);
	     at += rec.bytes)
		if (rec.committed && rec.id == PTL_ID_SPAN)
			take_span(cursor, &rec);
}

static enum ptl_peek walk(const struct ptl_map *map, uint32_t i,
			  struct ptl_cursor *cursor, enum ptl_patience patience,
			  const struct extent *ext, struct ptl_record *rec)
{
	const unsigned char *base = ptl_map_chunk(map, i);
	/* What is older was cleared. */
	uint64_t cleared =
		atomic_load_explicit(&map->head->cleared, memory_order_relaxed);
	uint64_t end = ext->end;

	cursor->end = end;
	if (cursor->hole) {
		cursor->pos = cursor->hole - 1;
		cursor->span = cursor->hole_span;
		cursor->hole = 0;
	}
	while (cursor->pos < end &&
	       ptl_record_parse(base + cursor->pos, end - cursor->pos, rec)) {
		if (cursor->hole && rec->committed && rec->id < PTL_ID_LIMIT)
			span_behind(base, cursor);
		if (rec->committed && rec->id < PTL_ID_LIMIT &&
		    (ptl_cursor_counter(cursor, rec) >= cleared ||
		     rec->id == PTL_EV_CALL_SUMMARY)) {
			rec->before = cursor->stack_end == cursor->pos ?
					      cursor->pos - cursor->stack :
					      0;
			return PTL_PEEK_EVENT;
		}
		if (ptl_record_is_none(rec)) {
			if (ext->open)
				return PTL_PEEK_FRONTIER;
			/* Reserved, and nothing was stored there before the
			 * chunk was closed. */
			rec->bytes = end - cursor->pos;
		}
		if (!rec->committed && hold(cursor, ext, patience))
			return PTL_PEEK_PENDING;
		if (rec->committed && rec->id == PTL_ID_SPAN)
			take_span(cursor, rec);
		if (rec->committed && rec->id == PTL_ID_STACK) {
			cursor->stack = cursor->pos;
			cursor->stack_end = cursor->pos + rec->bytes;
		}
		cursor->pos += rec->bytes;
	}
	if (ext->open)
		return PTL_PEEK_FRONTIER;
	if (cursor->hole)
		return PTL_PEEK_NOTHING;
	/* What is left at the end makes no sense. */
	cursor->pos = end;
	return PTL_PEEK_ALL;
}

enum ptl_peek ptl_cursor_peek(const struct ptl_map *map, uint32_t i,
			      struct ptl_cursor *cursor,
			      enum ptl_patience patience,
			      struct ptl_record *rec)
{
	/* Pairs with ptl_chunk_change() and the take-over there. */
	uint64_t own =
		atomic_load_explicit(&map->table[i].own, memory_order_acquire);
	uint64_t read =
		atomic_load_explicit(&map->table[i].read, memory_order_acquire);
	uint64_t life =
		atomic_load_explicit(&map->table[i].life, memory_order_relaxed);
	uint32_t state = ptl_own_state(own);
	struct extent ext;

	if (own & PTL_CHUNK_LOSING)
		return PTL_PEEK_LOSING;
	if (state == PTL_CHUNK_FREE || state > PTL_CHUNK_PARTIAL ||
	    ptl_own_gen(own) != ptl_read_gen(read) ||
	    (own & PTL_CHUNK_KEPT && patience != PTL_PATIENCE_LAST))
		return PTL_PEEK_NOTHING;
	if (cursor->gen != ptl_read_gen(read) || cursor->life != life ||
	    cursor->pos < ptl_read_offset(read))
		begin(map, i, read, life, cursor);
	ext = extent(map, i, own);
	return walk(map, i, cursor, patience, &ext, rec);
}

bool ptl_cursor_has_moved(struct ptl_cursor *cursor)
{
	bool moved = cursor->gen != cursor->seen_gen ||
		     cursor->pos != cursor->seen_pos;

	cursor->seen_gen = cursor->gen;
	cursor->seen_pos = cursor->pos;
	return moved;
}

void ptl_cursor_pass(struct ptl_cursor *cursor)
{
	cursor->passed = PTL_MAX(cursor->passed, cursor->pos + 8);
}

void ptl_cursor_step(struct ptl_cursor *cursor, const struct ptl_record *rec)
{
	cursor->last = ptl_cursor_counter(cursor, rec);
	cursor->pos += rec->bytes;
}

/* A committed event without a third word; its id is below PTL_ID_SHORT. */
static bool is_plain(uint64_t word0)
{
	return (word0 & (PTL_RECORD_COMMITTED | PTL_RECORD_EXTENDED |
			 PTL_ID_SHORT << PTL_RECORD_ID_SHIFT)) ==
	       PTL_RECORD_COMMITTED;
}

/* When an event began that is recorded at that time. */
static uint64_t began(const struct ptl_map *map, uint32_t id, const void *data,
		      size_t size, uint64_t counter)
{
	uint64_t since = 0;

	if (ptl_record_is_call(id))
		since = ptl_record_since(data, size, counter,
					 map->log->anchor[0].counter);
	return since ? since : counter;
}

/* A record without a third word more, which is the last of the run. */
static void add(struct ptl_chunk_run *run, uint32_t id, size_t bytes,
		uint64_t counter, uint64_t since)
{
	run->plain &= ptl_record_is_plain(id);
	run->bytes += bytes;
	run->events++;
	run->last = counter;
	run->nested |= since < run->latest;
	run->earliest = PTL_MIN(run->earliest, since);
	run->latest = PTL_MAX(run->latest, since);
}

/* May a plain record say when it began? */
static bool is_timed(uint64_t word0)
{
	return ptl_record_is_call(ptl_record_id(word0)) &&
	       !(word0 & PTL_RECORD_TRUNCATED);
}

struct ptl_chunk_run ptl_cursor_run(const struct ptl_map *map, uint32_t i,
				    const struct ptl_cursor *cursor,
				    const struct ptl_record *rec,
				    uint64_t until, uint64_t room)
{
	const unsigned char *at = ptl_cursor_at(map, i, cursor, rec);
	uint64_t counter = ptl_cursor_counter(cursor, rec);
	uint64_t since = rec->truncated ? counter :
					  began(map, rec->id, rec->data,
						rec->data_size, counter);
	struct ptl_chunk_run run = {rec->before + rec->bytes,
				    1,
				    counter,
				    counter,
				    since,
				    since,
				    false,
				    ptl_record_is_plain(rec->id)};

	room = PTL_MIN(room, rec->before + cursor->end - cursor->pos);
	while (!cursor->hole && run.bytes + PTL_RECORD_HEADER <= room) {
		const uint64_t *word = (const void *)(at + run.bytes);
		/* Pairs with ptl_record_write() and ptl_fastpath_record(). */
		uint64_t word0 = __atomic_load_n(word, __ATOMIC_ACQUIRE);
		size_t bytes =
			ptl_record_bytes(word0 & PTL_RECORD_SIZE_MAX, false);

		/* This record says where the next one is: the processor cannot
		 * look ahead.  It may be beyond the end. */
		__builtin_prefetch(at + run.bytes + AHEAD);
		counter = ptl_record_counter(
			word0 >> 32 | word[1] >> PTL_RECORD_ADDR_BITS << 32,
			cursor->span.counter);
		if (!is_plain(word0) || bytes > room - run.bytes ||
		    counter < run.last || counter > until)
			break;
		since = counter;
		if (is_timed(word0))
			since = began(map, ptl_record_id(word0), word + 2,
				      word0 & PTL_RECORD_SIZE_MAX, counter);
		add(&run, ptl_record_id(word0), bytes, counter, since);
	}
	return run;
}

void ptl_cursor_step_run(struct ptl_cursor *cursor,
			 const struct ptl_record *rec,
			 const struct ptl_chunk_run *run)
{
	cursor->last = run->last;
	cursor->pos += run->bytes - rec->before;
}

/* Makes it known that all up to an offset, and no more, is consumed. */
static bool consume_to(const struct ptl_map *map, uint32_t i,
		       const struct ptl_cursor *cursor, uint64_t offset)
{
	uint64_t read =
		atomic_load_explicit(&map->table[i].read, memory_order_relaxed);

	/* Pairs with tell_unread() in chunk.c: one of the two wins. */
	return ptl_read_gen(read) == cursor->gen && !(read & PTL_READ_TAKEN) &&
	       atomic_compare_exchange_strong_explicit(
		       &map->table[i].read, &read,
		       ptl_read(cursor->gen, offset), memory_order_acq_rel,
		       memory_order_relaxed);
}

bool ptl_cursor_consume(const struct ptl_map *map, uint32_t i,
			struct ptl_cursor *cursor)
{
	return consume_to(map, i, cursor,
			  cursor->hole ? cursor->hole - 1 : cursor->pos);
}

bool ptl_cursor_put_back(const struct ptl_map *map, uint32_t i,
			 const struct ptl_cursor *cursor, uint64_t from)
{
	return consume_to(map, i, cursor, from);
}

bool ptl_cursor_mark(const struct ptl_map *map, uint32_t i,
		     const struct ptl_cursor *cursor,
		     const struct ptl_record *rec)
{
	/* Pairs with ptl_loss_unread(). */
	return ptl_record_take((void *)(ptl_map_chunk(map, i) + cursor->pos),
			       rec, PTL_ID_DONE);
}
