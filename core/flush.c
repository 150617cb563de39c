/* SPDX-License-Identifier: MIT */
/*
 * A pass goes over the chunks and copies the records of each span into
 * packets; batch.c has the rest of their way.
 *
 * In a LOOP stream a writer may take a chunk over while it is copied, so
 * there each piece is consumed before it counts.
 *
 * An UNTIL_FULL log has no gap from the first event to the last.  So a pass
 * into one copies what is not later than its beginning, in whatever order; and
 * if that is more than the log still holds, a moment is looked for so that what
 * is not later than it fits, and there the log ends.  A LOOP log has no gap up
 * to the last: it gets the chunks in the order they were claimed in, and of
 * more than it can hold only what is not earlier than such a moment.
 */
#include "core/flush.h"

#include "core/batch.h"
#include "core/chunk.h"
#include "core/clock.h"
#include "core/cursor.h"
#include "core/emit.h"
#include "core/logpack.h"
#include "core/names.h"
#include "core/sys.h"
#include "core/sysevents.h"
#include "core/timeline.h"

#include <string.h>

#define REAP_INTERVAL_NS UINT64_C(100000000)
#define CLOCK_INTERVAL_NS UINT64_C(20000000)
#define HEADER sizeof(struct ptl_log_packet)

/* A pass over the chunks. */
struct pass {
	struct ptl_batch batch;
	enum ptl_patience patience;
	uint64_t begun; /* counter */
	uint64_t from;	/* earlier events are discarded */
	uint64_t until; /* later events wait for the next pass */
	bool marked;	/* FLUSH_START is to be told with the first event */
	bool discard;	/* the log is full */
};

int ptl_flush_init(struct ptl_stream *stream)
{
	const struct ptl_map *map = stream->map;
	void *p = ptl_sys_mmap(NULL, ptl_stream_cursors_size(map),
			       PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return ENOMEM;
	stream->cursor = p;
	stream->order = (void *)(stream->cursor + map->nr_chunks);
	for (uint32_t i = 0; i < map->nr_chunks; i++)
		stream->order[i] = i;
	return stream->kind == PTL_STREAM_LOGGED ? ptl_batch_init(stream) : 0;
}

static bool loops(const struct ptl_stream *stream)
{
	return stream->map->head->attr.stream_policy == POSIX_TRACE_LOOP;
}

static uint64_t now(const struct ptl_stream *stream)
{
	return ptl_clock_now(stream->map->clock);
}

static struct pass pass_of(struct ptl_stream *stream, bool last)
{
	struct pass pass = {
		.batch = {.stream = stream},
		.patience = last ? PTL_PATIENCE_LAST : PTL_PATIENCE_ORDER,
		.begun = now(stream),
		.until = UINT64_MAX,
		.discard = ptl_batch_full(stream),
	};

	if (!last && ptl_batch_left(stream) != UINT64_MAX)
		pass.until = pass.begun;
	return pass;
}

/* FLUSH_START, with the time when the flush began.  In the log at once: then
 * FLUSH_STOP is due, whatever becomes of the rest. */
static int begin(struct pass *pass)
{
	struct ptl_batch mark = {.stream = pass->batch.stream};
	int err = ptl_batch_own(&mark, PTL_EV_FLUSH_START, PTL_RANK_EVENT,
				pass->begun, "", 0);

	if (!err)
		err = ptl_batch_write(&mark);
	pass->marked = err != 0;
	pass->batch.stream->flush_open |= err == 0;
	return err;
}

/* Takes back what was put of a chunk that a writer took over meanwhile. */
static void take_back(struct ptl_batch *batch, const struct ptl_batch *before)
{
	batch->used = before->used;
	batch->events = before->events;
	batch->after = before->after;
	batch->packet = NULL;
}

/*
 * One event at the cursor.  0; an error; EMSGSIZE if the log cannot hold it;
 * EAGAIN if room was made for it and the cursor must be asked again: a writer
 * may have taken the chunk over meanwhile.
 */
static int copy_event(struct pass *pass, uint32_t i,
		      const struct ptl_record *rec, struct ptl_batch *before)
{
	struct ptl_batch *batch = &pass->batch;
	struct ptl_stream *stream = batch->stream;
	struct ptl_cursor *cursor = &stream->cursor[i];
	int err;

	if (!ptl_batch_put(batch, &cursor->span, rec, i, cursor->gen)) {
		if (loops(stream) &&
		    !ptl_cursor_consume(stream->map, i, cursor))
			take_back(batch, before);
		err = ptl_batch_room(batch, rec->before + rec->bytes);
		*before = *batch;
		return err ? err : EAGAIN;
	}
	ptl_cursor_step(cursor, rec);
	batch->packet->chunk_end = cursor->pos;
	return 0;
}

static uint64_t counter_of(const struct ptl_cursor *cursor,
			   const struct ptl_record *rec)
{
	return ptl_record_counter(rec->time, cursor->span.counter);
}

/* The log has no room for it: an UNTIL_FULL one none for what follows. */
static int discard(struct pass *pass, uint32_t i, const struct ptl_record *rec)
{
	struct ptl_stream *stream = pass->batch.stream;
	int err = 0;

	if (!pass->discard && ptl_batch_left(stream) != UINT64_MAX) {
		err = ptl_batch_close(&pass->batch);
		pass->discard = true;
	}
	ptl_batch_discard(stream, 1);
	ptl_cursor_step(&stream->cursor[i], rec);
	return err;
}

static int copy_chunk(struct pass *pass, uint32_t i)
{
	struct ptl_batch *batch = &pass->batch, before = *batch;
	struct ptl_stream *stream = batch->stream;
	struct ptl_map *map = stream->map;
	struct ptl_cursor *cursor = &stream->cursor[i];
	struct ptl_record rec;
	int err;

	while (ptl_cursor_peek(map, i, cursor, pass->patience, &rec) ==
	       PTL_PEEK_EVENT) {
		uint64_t counter = counter_of(cursor, &rec);

		if (counter > pass->until)
			break;
		if (pass->marked) {
			/* It comes after what it is begun for. */
			pass->begun = PTL_MAX(pass->begun, counter);
			err = begin(pass);
			if (err)
				return err;
		}
		err = pass->discard || counter < pass->from ?
			      EMSGSIZE :
			      copy_event(pass, i, &rec, &before);
		if (err == EAGAIN)
			continue;
		if (err == EMSGSIZE)
			err = discard(pass, i, &rec);
		if (err)
			return err;
	}
	if (loops(stream) && !ptl_cursor_consume(map, i, cursor))
		take_back(batch, &before);
	batch->packet = NULL;
	return 0;
}

/* Looking for the dead takes system calls: not at every pass. */
static void reap(struct ptl_stream *stream, bool last)
{
	uint64_t ns = ptl_clock_ns(CLOCK_MONOTONIC);

	if (!last && ns - stream->last_deep < REAP_INTERVAL_NS)
		return;
	stream->last_deep = ns;
	ptl_chunk_reap(stream->map);
}

/* The chunks as they were claimed; mostly they are in this order already. */
static void put_in_order(struct ptl_stream *stream)
{
	const struct ptl_map *map = stream->map;

	for (uint32_t n = 1; n < map->nr_chunks; n++) {
		uint32_t i = stream->order[n], to = n;
		uint64_t seq = map->table[i].seq;

		for (; to > 0 && map->table[stream->order[to - 1]].seq > seq;
		     to--)
			stream->order[to] = stream->order[to - 1];
		stream->order[to] = i;
	}
}

static int copy_all(struct pass *pass)
{
	struct ptl_batch *batch = &pass->batch;
	struct ptl_stream *stream = batch->stream;

	if (stream->ring.nr)
		put_in_order(stream);
	batch->count = 0;
	for (uint32_t n = 0; n < stream->map->nr_chunks; n++) {
		int err;

		if (batch->count == 0)
			batch->first = n;
		batch->count = n - batch->first + 1;
		err = copy_chunk(pass, stream->order[n]);
		if (err)
			return err;
	}
	return ptl_batch_write(batch);
}

/* ---- what does not fit -------------------------------------------- */

/* What the packets would take of all between `from' and `until'. */
static uint64_t cost(const struct pass *pass, uint64_t from, uint64_t until)
{
	const struct ptl_stream *stream = pass->batch.stream;
	struct ptl_map *map = stream->map;
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < map->nr_chunks; i++) {
		struct ptl_cursor cursor = stream->cursor[i];
		struct ptl_shm_span span = {0};
		struct ptl_record rec;

		while (ptl_cursor_peek(map, i, &cursor, pass->patience, &rec) ==
			       PTL_PEEK_EVENT &&
		       counter_of(&cursor, &rec) <= until) {
			if (counter_of(&cursor, &rec) < from) {
				ptl_cursor_step(&cursor, &rec);
				continue;
			}
			if (memcmp(&span, &cursor.span, sizeof(span)) != 0)
				bytes += HEADER;
			span = cursor.span;
			bytes += rec.before + rec.bytes;
			ptl_cursor_step(&cursor, &rec);
		}
	}
	/* A full buffer is written, and a packet begun anew. */
	return bytes + bytes / (stream->buffer_size / 2) * HEADER;
}

/* Could it be more than there is room for? */
static bool may_exceed(const struct ptl_stream *stream, uint64_t room)
{
	const struct ptl_map *map = stream->map;
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < map->nr_chunks; i++)
		if (ptl_own_state(atomic_load_explicit(&map->table[i].own,
						       memory_order_relaxed)) !=
		    PTL_CHUNK_FREE)
			bytes += map->chunk_size + HEADER;
	return bytes > room;
}

/* What the pass may say itself. */
static uint64_t marks(const struct pass *pass)
{
	unsigned int nr =
		pass->marked + (pass->marked || pass->batch.stream->flush_open);

	return (nr + (pass->batch.gap ? 2 : 0)) * PTL_BATCH_MARK;
}

/* The last moment before which it all fits, or the first from which. */
static uint64_t moment(const struct pass *pass, uint64_t room, bool end)
{
	uint64_t low = 0, high = pass->begun;

	while (low < high) {
		uint64_t middle = low + (high - low + end) / 2;
		bool fits = end ? cost(pass, 0, middle) <= room :
				  cost(pass, middle, UINT64_MAX) <= room;

		if (end == fits)
			low = middle + !end;
		else
			high = middle - end;
	}
	return low;
}

/* Bounds the pass to what the log has room for; true if then it is full. */
static bool cut(struct pass *pass)
{
	const struct ptl_stream *stream = pass->batch.stream;
	uint64_t left = ptl_batch_left(stream);
	bool end = left != UINT64_MAX;
	uint64_t room = end ? left : ptl_batch_capacity(stream);

	room -= PTL_MIN(room, marks(pass));
	if (pass->discard || !may_exceed(stream, room) ||
	    cost(pass, 0, pass->until) <= room)
		return false;
	if (end)
		pass->until = moment(pass, room, true);
	else
		pass->from = moment(pass, room, false);
	return end;
}

/* The log ends here; what is left in the chunks is of no use to it. */
static int close_log(struct pass *pass)
{
	int err = ptl_batch_close(&pass->batch);

	if (err)
		return err;
	pass->discard = true;
	pass->until = UINT64_MAX;
	return copy_all(pass);
}

/* ---- losses ------------------------------------------------------- */

/* Takes up a loss that nobody told yet. */
static void take_loss(struct pass *pass)
{
	struct ptl_map *map = pass->batch.stream->map;
	struct ptl_shm_log *log = map->log;
	uint64_t since;

	if (!loops(pass->batch.stream))
		return;
	since = atomic_exchange_explicit(&map->head->lost_since, 0,
					 memory_order_relaxed);
	if (since && log->overflow_due == 0)
		log->overflow_due = since;
	pass->batch.gap = log->resume_due ? log->resume_due : log->overflow_due;
}

/* OVERFLOW, and RESUME if the pass found out where it goes on. */
static int tell_loss(struct pass *pass)
{
	struct ptl_batch *batch = &pass->batch;
	struct ptl_map *map = batch->stream->map;
	struct ptl_shm_log *log = map->log;
	uint64_t since = log->overflow_due, after = batch->after;
	uint64_t more = map->head->lost_since;
	int err = 0;

	/* Lost while we copied, before what we found: the same loss. */
	if (after && more && more < after)
		atomic_compare_exchange_strong_explicit(
			&map->head->lost_since, &more, 0, memory_order_relaxed,
			memory_order_relaxed);
	/* A LOOP log that begins later tells it as its own. */
	if (since && !log->resume_due && since >= pass->from)
		err = ptl_batch_own(batch, PTL_EV_OVERFLOW, PTL_RANK_BEFORE,
				    since, "", 0);
	if (!err && after && batch->gap >= PTL_MAX(pass->from, 1))
		err = ptl_batch_own(batch, PTL_EV_RESUME, PTL_RANK_BEFORE,
				    after, "", 0);
	if (!err)
		err = ptl_batch_write(batch);
	if (err)
		return err;
	if (after)
		log->overflow_due = log->resume_due = 0;
	else if (since)
		log->resume_due = since;
	return 0;
}

/*
 * A stream that stopped because it was full: tells when, what was lost since,
 * and lets it run again now that there is room.
 */
static int restart(struct pass *pass, bool last)
{
	struct ptl_batch *batch = &pass->batch;
	struct ptl_map *map = batch->stream->map;
	struct ptl_shm_head *head = map->head;
	uint16_t full = PTL_STATE_FULL;
	uint64_t stop, lost, start;
	int32_t reason = 1;
	int err = 0;
	bool told;

	if (ptl_map_state(map) != full)
		return 0;
	stop = atomic_exchange_explicit(&head->stop_counter, 0,
					memory_order_relaxed);
	lost = atomic_exchange_explicit(&head->lost_since, 0,
					memory_order_relaxed);
	/* After these: START is not before STOP. */
	start = now(batch->stream);
	told = stop == PTL_STOP_TOLD;
	/* Who stopped it has not said when; or what he said is of then. */
	if (told || stop <= batch->stream->restarted)
		stop = start;
	batch->stream->restarted = start;
	if (!told)
		err = ptl_batch_own(batch, PTL_EV_STOP, PTL_RANK_AFTER, stop,
				    &reason, sizeof(reason));
	if (!err && lost)
		err = ptl_batch_own(batch, PTL_EV_OVERFLOW, PTL_RANK_AFTER,
				    PTL_MAX(lost, stop), "", 0);
	if (!err && lost && !last)
		err = ptl_batch_own(batch, PTL_EV_RESUME, PTL_RANK_BEFORE,
				    start, "", 0);
	if (!err && !last)
		err = ptl_batch_own(batch, PTL_EV_START, PTL_RANK_BEFORE, start,
				    (const void *)head->filter,
				    sizeof(head->filter));
	if (!err)
		err = ptl_batch_write(batch);
	if (!err && !last)
		atomic_compare_exchange_strong_explicit(
			&head->state, &full, PTL_STATE_RUNNING,
			memory_order_relaxed, memory_order_relaxed);
	return err;
}

/* ---- what goes with the events ------------------------------------ */

/* An anchor later than all events so far, if there are new ones; now and then
 * while there are more to come. */
static int write_clock(struct ptl_stream *stream, bool last)
{
	uint64_t ns = ptl_clock_ns(CLOCK_MONOTONIC);
	uint64_t packet[(2 * HEADER + 32) / 8];
	struct ptl_shm_anchor anchor;

	if (stream->last_written == stream->clock_written ||
	    (!last && ns - stream->clock_ns < CLOCK_INTERVAL_NS))
		return 0;
	stream->clock_written = stream->last_written;
	stream->clock_ns = ns;
	anchor = ptl_timeline_extend(stream->map);
	ptl_log_pack_begin(packet, PTL_PACKET_CLOCK);
	return ptl_batch_other(
		stream, packet,
		ptl_log_pack_clock(packet, sizeof(packet), &anchor));
}

/* Names that were opened since the last time. */
static int write_types(struct ptl_stream *stream)
{
	uint32_t count = ptl_names_count(stream->names);
	char name[PTL_NAME_SIZE];
	/* Behind it must be room for a header: ptl_logring_append(). */
	uint64_t packet[512 + HEADER / 8];
	size_t size;

	while (stream->types_written < count) {
		uint32_t n = stream->types_written;
		int err;

		size = ptl_log_pack_begin(packet, PTL_PACKET_TYPES);
		for (; n < count; n++) {
			size_t grown;

			if (ptl_names_get(stream->names, PTL_ID_FIRST_USER + n,
					  name) != 0)
				continue;
			grown = ptl_log_pack_type(
				packet, sizeof(packet) - HEADER,
				PTL_ID_FIRST_USER + n, name, "");
			if (!grown)
				break;
			size = grown;
		}
		err = ptl_batch_other(stream, packet, size);
		if (err)
			return err;
		stream->types_written = n;
	}
	return 0;
}

/* ---- flushes ------------------------------------------------------ */

static int copy(struct pass *pass, bool last)
{
	struct ptl_stream *stream = pass->batch.stream;
	bool full;
	int err;

	/* Names before the events that use them: a cut log can tell both. */
	err = write_types(stream);
	if (err)
		return err;
	if (!ptl_slot_tid)
		ptl_slot_mine();
	reap(stream, last);
	take_loss(pass);
	full = cut(pass);
	err = copy_all(pass);
	if (!err && full)
		err = close_log(pass);
	if (!err)
		err = tell_loss(pass);
	if (!err)
		err = write_clock(stream, last);
	if (!err)
		err = restart(pass, last);
	return err;
}

static void set_flushing(struct ptl_stream *stream, bool on)
{
	atomic_store_explicit(&stream->flushing, on, memory_order_relaxed);
}

int ptl_flush_settle(struct ptl_stream *stream)
{
	struct pass pass = pass_of(stream, false);
	int err;

	if (!stream->flush_open)
		return 0;
	err = ptl_batch_own(&pass.batch, PTL_EV_FLUSH_STOP, PTL_RANK_EVENT,
			    pass.begun, "", 0);
	if (!err)
		err = ptl_batch_write(&pass.batch);
	if (!err)
		stream->flush_open = false;
	return err;
}

int ptl_flush_now(struct ptl_stream *stream)
{
	struct pass pass;
	int err;

	set_flushing(stream, true);
	err = ptl_flush_settle(stream);
	pass = pass_of(stream, false);
	if (!err)
		err = begin(&pass);
	if (!err)
		err = copy(&pass, false);
	if (!err)
		err = ptl_flush_settle(stream);
	set_flushing(stream, false);
	return err;
}

int ptl_flush_auto(struct ptl_stream *stream)
{
	struct pass pass = pass_of(stream, false);
	int err;

	set_flushing(stream, true);
	pass.marked = !stream->flush_open;
	err = copy(&pass, false);
	set_flushing(stream, false);
	return err;
}

int ptl_flush_last(struct ptl_stream *stream)
{
	struct pass pass = pass_of(stream, true);
	int err;

	set_flushing(stream, true);
	err = copy(&pass, true);
	set_flushing(stream, false);
	return err;
}

int ptl_flush_end(struct ptl_stream *stream, const struct ptl_log_end *end)
{
	uint64_t packet[PTL_LOG_PACK_END_SIZE / 8];
	int err = ptl_batch_end(stream);

	if (!err)
		err = write_types(stream);
	if (err)
		return err;
	return ptl_batch_other(stream, packet, ptl_log_pack_end(packet, end));
}

/* ---- clear -------------------------------------------------------- */

static void drop_old(struct ptl_stream *stream)
{
	struct ptl_map *map = stream->map;
	struct ptl_record rec;

	for (uint32_t i = 0; i < map->nr_chunks; i++) {
		struct ptl_cursor *cursor = &stream->cursor[i];

		/* Peek passes over what was cleared. */
		enum ptl_peek peek = ptl_cursor_peek(map, i, cursor,
						     PTL_PATIENCE_PASS, &rec);

		if (cursor->gen && ptl_cursor_consume(map, i, cursor) &&
		    peek == PTL_PEEK_ALL)
			ptl_chunk_free(map, i, cursor->gen, ptl_slot_tid);
	}
}

static int clear_log(struct ptl_stream *stream)
{
	struct ptl_shm_log *log = stream->map->log;
	int err = 0;

	log->overflow_due = log->resume_due = 0;
	log->discarded = 0;
	atomic_store_explicit(&log->log_status, 0, memory_order_relaxed);
	atomic_store_explicit(&stream->flush_error, 0, memory_order_relaxed);
	stream->flush_open = false;
	if (!stream->log.seekable)
		return 0;
	err = ptl_log_cut(&stream->log, sizeof(struct ptl_log_head));
	stream->events = 0;
	stream->types_written = 0;
	stream->first_counter = stream->last_written = 0;
	stream->clock_written = stream->clock_ns = 0;
	return err ? err : ptl_batch_begin(stream);
}

int ptl_flush_clear(struct ptl_stream *stream)
{
	if (!ptl_slot_tid)
		ptl_slot_mine();
	ptl_chunk_reap(stream->map);
	drop_old(stream);
	return stream->kind == PTL_STREAM_LOGGED ? clear_log(stream) : 0;
}
