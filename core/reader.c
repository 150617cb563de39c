/* SPDX-License-Identifier: MIT */
/*
 * A reader merges the chunks by time.  What it copied counts only if it can
 * consume it: in a LOOP stream a writer may have been faster, and then it
 * looks again.  Besides the records it tells what only the stream's state
 * knows: that it stopped because it was full, and that events were lost.
 */
#include "core/reader.h"

#include "core/chunk.h"
#include "core/clock.h"
#include "core/emit.h"
#include "core/sys.h"
#include "core/sysevents.h"
#include "core/timeline.h"

#include <string.h>

/* How often to look behind holes, in ns: it means reading whole chunks. */
#define DEEP_INTERVAL_NS UINT64_C(10000000)

/* How long to wait for records that are being written, in ns. */
#define PATIENCE_NS UINT64_C(50000000)

struct found {
	uint32_t chunk;
	struct ptl_record rec;
	uint64_t counter;
};

/* The oldest event of all chunks, as far as one look at each tells. */
static bool look(struct ptl_stream *stream, enum ptl_patience patience,
		 struct found *found)
{
	struct ptl_map *map = stream->map;
	struct ptl_record rec;

	found->chunk = UINT32_MAX;
	for (uint32_t i = 0; i < map->nr_chunks; i++) {
		struct ptl_cursor *cursor = &stream->cursor[i];
		uint64_t counter;

		switch (ptl_cursor_peek(map, i, cursor, patience, &rec)) {
		case PTL_PEEK_NOTHING:
			continue;
		case PTL_PEEK_ALL:
			if (ptl_cursor_consume(map, i, cursor))
				ptl_chunk_free(map, i, cursor->gen,
					       ptl_slot_tid);
			continue;
		case PTL_PEEK_EVENT:
			break;
		}
		counter = ptl_record_counter(rec.time, cursor->span.counter);
		if (found->chunk == UINT32_MAX || counter < found->counter) {
			found->chunk = i;
			found->rec = rec;
			found->counter = counter;
		}
	}
	return found->chunk != UINT32_MAX;
}

/*
 * The oldest event of all chunks.  While we looked, a thread may have gone on
 * from a chunk we had passed to one we had not: of what is newer than the
 * beginning of the look we cannot tell what came before it.
 */
static bool find(struct ptl_stream *stream, enum ptl_patience patience,
		 struct found *found)
{
	unsigned int tries = 0;
	uint64_t begin;

	do {
		begin = ptl_clock_now(stream->map->clock);
		/* Pairs with the commit in ptl_record_write(). */
		atomic_thread_fence(memory_order_seq_cst);
		if (!look(stream, patience, found))
			return false;
		/* In a damaged segment it may be later for ever. */
	} while (found->counter > begin && ++tries < 16);
	return true;
}

static bool find_deep(struct ptl_stream *stream, bool still,
		      struct found *found)
{
	uint64_t now = ptl_clock_ns(CLOCK_MONOTONIC);

	if (!still && now - stream->last_deep < DEEP_INTERVAL_NS)
		return false;
	/* As long as it helps we go on like this. */
	if (find(stream, PTL_PATIENCE_PASS, found))
		return true;
	stream->last_deep = now;
	return ptl_chunk_reap(stream->map) &&
	       find(stream, PTL_PATIENCE_PASS, found);
}

/* The stack of what was found. */
static size_t copy_stack(struct ptl_stream *stream, const struct found *found)
{
	const unsigned char *record = ptl_map_chunk(stream->map, found->chunk) +
				      stream->cursor[found->chunk].pos -
				      found->rec.before;
	struct ptl_record rec;

	if (!found->rec.before ||
	    !ptl_record_parse(record, found->rec.before, &rec) ||
	    rec.id != PTL_ID_STACK)
		return 0;
	return ptl_record_stack(&rec, stream->stack);
}

/* Copies what was found.  False: it was taken over while we copied. */
static bool take(struct ptl_stream *stream, const struct found *found,
		 struct ptl_event *event, void *data, size_t size)
{
	struct ptl_cursor *cursor = &stream->cursor[found->chunk];
	const struct ptl_record *rec = &found->rec;
	const struct ptl_shm_span *span = &cursor->span;

	*event = (struct ptl_event){
		.id = rec->id,
		.pid = span->pid,
		.tid = span->tid,
		.image = span->image,
		.thread = span->thread,
		.addr = rec->addr,
		.counter = found->counter,
		.truncated = rec->truncated,
		.data_size = rec->data_size,
		.stack = stream->stack,
		.nr_stack = copy_stack(stream, found),
	};
	if (size)
		memcpy(data, rec->data, PTL_MIN(size, rec->data_size));
	if (cursor->hole) {
		if (!ptl_cursor_mark(stream->map, found->chunk, cursor, rec))
			return false;
		ptl_cursor_step(cursor, rec);
		return true;
	}
	ptl_cursor_step(cursor, rec);
	return ptl_cursor_consume(stream->map, found->chunk, cursor);
}

/* An event that is not in the chunks. */
static void make(struct ptl_stream *stream, struct ptl_event *event,
		 uint32_t id, uint64_t counter)
{
	struct ptl_emit_as as;

	ptl_emit_self(&as);
	*event = (struct ptl_event){
		.id = id,
		.pid = as.pid,
		.tid = as.tid,
		.image = as.image,
		.thread = as.thread,
		.counter = PTL_MAX(counter, stream->last_counter),
	};
}

/* LOOP lost events since the last one read: OVERFLOW, then RESUME. */
static bool tell_loss(struct ptl_stream *stream, struct ptl_event *event,
		      uint64_t next)
{
	struct ptl_map *map = stream->map;
	uint64_t since;

	if (stream->resume_due) {
		stream->resume_due = false;
		make(stream, event, PTL_EV_RESUME, next);
		return !ptl_map_filters(map, PTL_EV_RESUME);
	}
	if (map->head->attr.stream_policy != POSIX_TRACE_LOOP)
		return false;
	since = atomic_load_explicit(&map->head->lost_since,
				     memory_order_relaxed);
	/* What was recorded before the loss comes first. */
	if (!since || since >= next)
		return false;
	since = atomic_exchange_explicit(&map->head->lost_since, 0,
					 memory_order_relaxed);
	stream->resume_due = true;
	if (ptl_map_filters(map, PTL_EV_OVERFLOW))
		return tell_loss(stream, event, next);
	make(stream, event, PTL_EV_OVERFLOW, since);
	return true;
}

/* Is a record still being written that was begun before the stream was full?
 * Who left one for good by siglongjmp() is not waited for. */
static bool writing(struct ptl_stream *stream)
{
	struct ptl_map *map = stream->map;
	uint64_t now = ptl_clock_ns(CLOCK_MONOTONIC);

	if (stream->full_since == 0)
		stream->full_since = now;
	for (uint32_t i = 0; i < map->nr_chunks; i++) {
		uint64_t hole = stream->cursor[i].hole;

		if (hole && now - stream->full_since < PATIENCE_NS &&
		    *(const uint64_t *)(ptl_map_chunk(map, i) + hole - 1))
			return true;
	}
	stream->full_since = 0;
	return false;
}

/* Everything was read and the stream is full: says so, and restarts it. */
static bool tell_full(struct ptl_stream *stream, struct ptl_event *event,
		      void *data, size_t size)
{
	struct ptl_shm_head *head = stream->map->head;
	uint32_t full = PTL_STATE_FULL;
	struct ptl_emit_as as;
	int32_t reason = 1;
	uint64_t stop;

	if (writing(stream))
		return false;
	stop = atomic_exchange_explicit(&head->stop_counter, 0,
					memory_order_relaxed);
	make(stream, event, PTL_EV_STOP,
	     stop ? stop : ptl_clock_now(stream->map->clock));
	event->data_size = sizeof(reason);
	if (size)
		memcpy(data, &reason, PTL_MIN(size, sizeof(reason)));
	ptl_emit_self(&as);
	if (!ptl_map_filters(stream->map, PTL_EV_START))
		ptl_emit_once(stream->map, &as, PTL_EV_START,
			      (const void *)head->filter, sizeof(head->filter),
			      sizeof(head->filter), NULL);
	atomic_compare_exchange_strong_explicit(
		&head->state, &full, PTL_STATE_RUNNING, memory_order_relaxed,
		memory_order_relaxed);
	return !ptl_map_filters(stream->map, PTL_EV_STOP);
}

static bool next(struct ptl_stream *stream, struct ptl_event *event, void *data,
		 size_t size)
{
	struct found found;

	for (;;) {
		/* What was recorded before it was full is seen after this.
		 * Pairs with lose() in emit.c. */
		uint32_t state = atomic_load_explicit(&stream->map->head->state,
						      memory_order_acquire);

		if (!find(stream, PTL_PATIENCE_ORDER, &found) &&
		    !find_deep(stream, state != PTL_STATE_RUNNING, &found))
			return state == PTL_STATE_FULL &&
			       tell_full(stream, event, data, size);
		if (tell_loss(stream, event, found.counter) ||
		    take(stream, &found, event, data, size))
			return true;
	}
}

bool ptl_reader_try(struct ptl_stream *stream, struct ptl_event *event,
		    void *data, size_t size)
{
	if (!ptl_slot_tid)
		ptl_slot_mine();
	if (!next(stream, event, data, size))
		return false;
	stream->last_counter = event->counter;
	event->ns = ptl_timeline_ns(stream->map, event->counter);
	event->data = data;
	return true;
}
