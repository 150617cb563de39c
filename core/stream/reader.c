/* SPDX-License-Identifier: MIT */
/*
 * A reader merges the chunks by time.  An event that it has copied counts only
 * if it can consume it: in a LOOP stream a writer may have overwritten it
 * meanwhile, and then the reader looks again.  Besides the records it delivers
 * what only the stream's state says: that the stream stopped because it was
 * full, and that events were lost.
 *
 * No event is delivered after STOP.  A thread that saw the stream running may
 * reserve its place only after the stream was stopped and STOP was read; its
 * call had not returned then, so we may treat its event as later than STOP: no
 * event before the time `closed' is delivered any more.  That costs the writer
 * nothing.  The same holds before the START of a stream that was full.
 */
#include "core/stream/reader.h"

#include "core/buffer/chunk.h"
#include "core/buffer/counter.h"
#include "core/buffer/loss.h"
#include "core/buffer/timeline.h"
#include "core/format/sysevents.h"
#include "core/record/oneshot.h"
#include "core/record/slots.h"
#include "core/stream/bridges.h"
#include "core/stream/full.h"
#include "core/stream/order.h"
#include "core/sys/clock.h"
#include "core/sys/syscall.h"
#include "core/shm/geometry.h"

#include <string.h>

/* The ticks that a writer may need from counting a loss to marking the stream
 * as full. */
#define SETTLED (UINT64_C(1) << 24)

/* Events in one call that are dropped or overwritten: no honest writer makes so
 * many. */
#define MAX_VOID (1u << 16)

/* The stack of the event that was found. */
static size_t copy_stack(struct ptl_stream *stream,
			 const struct ptl_ordered *found)
{
	uint32_t i;
	const struct ptl_map *map = ptl_stream_chunk(stream, found->chunk, &i);
	const unsigned char *record = ptl_map_chunk(map, i) +
				      stream->cursor[found->chunk].pos -
				      found->rec.before;
	struct ptl_record rec;

	if (!found->rec.before ||
	    !ptl_record_parse(record, found->rec.before, &rec) ||
	    rec.id != PTL_ID_STACK)
		return 0;
	return ptl_record_stack(&rec, stream->stack);
}

/* Copies the event that was found.  False: it was overwritten meanwhile. */
static bool take(struct ptl_stream *stream, const struct ptl_ordered *found,
		 struct ptl_event *event, void *data, size_t size)
{
	struct ptl_cursor *cursor = &stream->cursor[found->chunk];
	const struct ptl_record *rec = &found->rec;
	const struct ptl_shm_span *span = &cursor->span;
	uint32_t i;
	const struct ptl_map *map = ptl_stream_chunk(stream, found->chunk, &i);

	*event = (struct ptl_event){
		.id = rec->id,
		.pid = span->pid,
		.tid = span->tid,
		.image = span->image,
		.pidns = span->pidns,
		.thread = span->thread,
		.addr = rec->addr,
		.counter = found->counter,
		.truncated = rec->truncated,
		.data = data,
		.data_size = rec->data_size,
		.duration = -1,
		.stack = stream->stack,
		.nr_stack = copy_stack(stream, found),
	};
	if (ptl_record_is_call(rec->id) && !rec->truncated &&
	    rec->data_size >= PTL_RECORD_BEGIN) {
		event->since = ptl_record_since(
			rec->data, rec->data_size, event->counter,
			stream->map->log->anchor[0].counter);
		event->data_size -= PTL_RECORD_BEGIN;
	}
	if (size)
		memcpy(data, rec->data, PTL_MIN(size, event->data_size));
	if (cursor->hole) {
		/* See ptl_loss_unread(). */
		if (!ptl_cursor_consume(map, i, cursor) ||
		    !ptl_cursor_mark(map, i, cursor, rec))
			return false;
		ptl_cursor_step(cursor, rec);
		return true;
	}
	ptl_cursor_step(cursor, rec);
	return ptl_cursor_consume(map, i, cursor);
}

/* Makes an event that is not in the chunks. */
static void make(struct ptl_stream *stream, struct ptl_event *event,
		 uint32_t id, uint64_t counter)
{
	struct ptl_emit_as as;

	ptl_owner_self(&as);
	*event = (struct ptl_event){
		.id = id,
		.pid = as.pid,
		.tid = as.tid,
		.image = as.image,
		.pidns = ptl_map_pidns(stream->map, as.pidns),
		.thread = as.thread,
		.counter = PTL_MAX(counter, stream->reading.last_counter),
		.duration = -1,
	};
}

/* ---- what was lost ------------------------------------------------ */

/* Takes over the loss so far from the head. */
static void take_loss(struct ptl_stream *stream)
{
	struct ptl_reading *reading = &stream->reading;
	/* Pairs with ptl_loss_since(). */
	uint64_t since = atomic_exchange_explicit(
		&stream->map->head->lost_since, 0, memory_order_acquire);

	if (since && (!reading->lost_since || since < reading->lost_since))
		reading->lost_since = since;
}

/* Is there a loss before that time to report? */
static bool loss_before(const struct ptl_stream *stream, uint64_t counter)
{
	const struct ptl_shm_head *head = stream->map->head;
	uint64_t since =
		atomic_load_explicit(&head->lost_since, memory_order_relaxed);

	/* A thread that finds a stream full that does not loop first counts its
	 * loss, then stops the stream; tell_full() reports that loss. */
	if (since && head->attr.stream_policy != POSIX_TRACE_LOOP &&
	    (counter < SETTLED || since >= counter - SETTLED))
		since = 0;
	return (since && since < counter) ||
	       (stream->reading.lost_since &&
		stream->reading.lost_since < counter);
}

static void *kept_buffer(struct ptl_stream *stream)
{
	size_t size = ptl_geometry_record(stream->map->max_data);
	void *p;

	if (stream->buffer)
		return stream->buffer;
	p = ptl_sys_mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return NULL;
	stream->buffer = p;
	stream->buffer_size = size;
	return p;
}

/*
 * OVERFLOW and RESUME come before an event.  The event is taken first: if it
 * were lost, too, after RESUME was delivered, RESUME would have the time of an
 * event that is not delivered.  The loss is taken over before that, so that
 * what is lost after the event is not reported as lost before it.
 */
static void tell_loss(struct ptl_stream *stream,
		      const struct ptl_ordered *found)
{
	struct ptl_reading *reading = &stream->reading;
	void *buffer = kept_buffer(stream);

	if (!reading->resume_due)
		take_loss(stream);
	/* Without memory the loss is only in the status. */
	if (!buffer) {
		reading->resume_due = false;
		reading->lost_since = 0;
		return;
	}
	if (!take(stream, found, &reading->kept, buffer, stream->buffer_size))
		return;
	/* A larger one was not made by this library. */
	reading->kept.data_size =
		PTL_MIN(reading->kept.data_size, stream->buffer_size);
	reading->overflow_due = !reading->resume_due;
	reading->resume_due = true;
	reading->kept_due = true;
}

/* Delivers what is already due, one event at each call. */
static bool tell_due(struct ptl_stream *stream, struct ptl_event *event)
{
	struct ptl_reading *reading = &stream->reading;
	const struct ptl_map *map = stream->map;

	if (reading->overflow_due) {
		reading->overflow_due = false;
		make(stream, event, PTL_EV_OVERFLOW, reading->lost_since);
		reading->lost_since = 0;
		if (!ptl_map_filters(map, PTL_EV_OVERFLOW))
			return true;
	}
	if (reading->resume_due && reading->kept_due) {
		reading->resume_due = false;
		make(stream, event, PTL_EV_RESUME, reading->kept.counter);
		if (!ptl_map_filters(map, PTL_EV_RESUME))
			return true;
	}
	if (!reading->kept_due)
		return false;
	reading->kept_due = false;
	*event = reading->kept;
	return true;
}

/* ---- full --------------------------------------------------------- */

/*
 * Everything was read and the stream is full: delivers STOP, and restarts the
 * stream.  False: STOP was recorded already.  Not sooner, when only some of it
 * was read: each stop loses the events until the next start, and the more room
 * there is then, the more seldom the stream stops.
 */
static bool tell_full(struct ptl_stream *stream, struct ptl_event *event,
		      void *data, size_t size)
{
	struct ptl_reading *reading = &stream->reading;
	struct ptl_map *map = stream->map;
	struct ptl_shm_head *head = map->head;
	struct ptl_emit_as as;
	struct ptl_full full;
	int32_t reason = 1;

	ptl_full_take(stream, &full);
	reading->closed = full.start;
	reading->closed_full = true;
	ptl_owner_self(&as);
	reading->await_start =
		!ptl_map_filters(map, PTL_EV_START) &&
		ptl_oneshot(map, &as, PTL_EV_START, (const void *)head->filter,
			    sizeof(head->filter), sizeof(head->filter), NULL);
	/* START is in its chunk before any thread can record after it. */
	ptl_head_change(head, PTL_STATE_FULL, PTL_STATE_RUNNING);
	take_loss(stream);
	if (reading->lost_since)
		reading->overflow_due = reading->resume_due = true;
	if (full.told)
		return false;
	stream->restarted = full.start;
	/* The loss comes after STOP, and has its own time. */
	make(stream, event, PTL_EV_STOP,
	     reading->lost_since ? PTL_MIN(full.stop, reading->lost_since) :
				   full.stop);
	event->data_size = sizeof(reason);
	if (size)
		memcpy(data, &reason, PTL_MIN(size, sizeof(reason)));
	return !ptl_map_filters(map, PTL_EV_STOP);
}

/* ------------------------------------------------------------------- */

/* No event that was begun before this time is delivered any more. */
static void close_until(struct ptl_stream *stream, uint64_t counter)
{
	if (counter > stream->reading.closed) {
		stream->reading.closed = counter;
		stream->reading.closed_full = false;
	}
}

/* The event came too late.  If it can still be taken, it is counted as lost. */
static void drop(struct ptl_stream *stream, const struct ptl_ordered *found)
{
	struct ptl_event event;

	if (take(stream, found, &event, NULL, 0) && stream->reading.closed_full)
		ptl_loss_add(stream->map, 1, found->counter);
}

/* The next event.  False: there is none; *state is the state of the stream. */
static bool find(struct ptl_stream *stream, struct ptl_ordered *found,
		 uint32_t *state)
{
	struct ptl_merge_end end = {0};

	for (unsigned int n = 0;
	     n < MAX_VOID && ptl_order_next(stream, found, &end); n++) {
		if (found->rec.id == PTL_EV_START)
			stream->reading.await_start = false;
		/* A START is never too late, even if its caller took long to
		 * store it: the events after it need it. */
		if ((found->counter >= stream->reading.closed &&
		     !stream->reading.await_start) ||
		    found->rec.id == PTL_EV_START)
			return true;
		drop(stream, found);
	}
	*state = end.state;
	if (end.state == 0)
		close_until(stream, end.begin);
	return false;
}

static bool next(struct ptl_stream *stream, struct ptl_event *event, void *data,
		 size_t size)
{
	struct ptl_reading *reading = &stream->reading;
	struct ptl_ordered found;
	uint32_t state;

	for (unsigned int n = 0; n < MAX_VOID; n++) {
		if (tell_due(stream, event))
			return true;
		if (!find(stream, &found, &state)) {
			ptl_bridges_restart(stream);
			if (state != PTL_STATE_FULL)
				return false;
			if (tell_full(stream, event, data, size))
				return true;
		} else if (reading->resume_due ||
			   loss_before(stream, found.counter)) {
			tell_loss(stream, &found);
		} else if (take(stream, &found, event, data, size)) {
			return true;
		}
	}
	return false;
}

/* A call is delivered when it ended; its time is that of its beginning. */
static void take_begin(struct ptl_stream *stream, struct ptl_event *event)
{
	uint64_t begun = ptl_timeline_ns(stream->map, &stream->reading.line,
					 event->since);

	event->duration = (int64_t)(event->ns - PTL_MIN(begun, event->ns));
	event->ns = PTL_MIN(begun, event->ns);
}

bool ptl_reader_try(struct ptl_stream *stream, struct ptl_event *event,
		    void *data, size_t size)
{
	if (!ptl_thread.tid)
		ptl_slot_mine();
	ptl_bridges_look(stream);
	if (!next(stream, event, data, size))
		return false;
	/* Nothing older is delivered after these. */
	if (event->id == PTL_EV_STOP)
		close_until(stream, event->counter);
	if (event->id == PTL_EV_START)
		stream->reading.closed =
			PTL_MAX(stream->reading.closed, event->counter);
	stream->reading.last_counter = event->counter;
	event->ns = ptl_timeline_ns(stream->map, &stream->reading.line,
				    event->counter);
	if (event->since)
		take_begin(stream, event);
	if (!event->data)
		event->data = data;
	return true;
}

void ptl_reader_clear(struct ptl_stream *stream)
{
	stream->reading = (struct ptl_reading){
		.last_counter = stream->reading.last_counter,
		.closed = ptl_counter_now(stream->map->clock),
	};
}
