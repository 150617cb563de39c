/* SPDX-License-Identifier: MIT */
/*
 * Events are ordered by their times.  An event is the next one if
 *   - it is the oldest of all chunks, in a look that began after it was
 *     committed: then its own thread has no older one that is not yet seen;
 *   - no older record is being written.  If one is, we wait for it while its
 *     thread runs, for at most PATIENCE_NS in one call: a reader never says
 *     that there is no event while a committed one is there.
 * A thread between reading the clock and reserving cannot be seen: GRACE allows
 * for that time.  If the thread is held up there for longer, its event comes
 * late, but never out of order within the thread: an event that a handler
 * records meanwhile makes the reservation fail, and the thread reads the clock
 * again.
 *
 * What we do not wait for comes late: a record whose thread is stopped, or
 * asleep in a handler that interrupted it, or kept from running for longer than
 * we wait; and the loss that such a thread was counting, of a chunk it was
 * taking over, which is reported when the thread goes on.
 */
#include "core/stream/order.h"

#include "core/buffer/chunk.h"
#include "core/buffer/counter.h"
#include "core/buffer/slot.h"
#include "core/format/sysevents.h"
#include "core/stream/bridges.h"
#include "core/sys/clock.h"
#include "core/sys/ident.h"
#include "core/sys/syscall.h"

#define NONE UINT32_MAX

/* More than there can be threads that keep chunks, except in very large
 * streams. */
#define MAX_FRONTIERS 64

/* How often to look for dead threads, in ns. */
#define DEEP_INTERVAL_NS UINT64_C(10000000)

/* In one call: how long to wait for records that are being written, and after
 * how many looks to ask whether their writers run at all. */
#define PATIENCE_NS UINT64_C(200000000)
#define PAUSE_NS 20000
#define SPINS 50

/*
 * Ticks.  GRACE: the time that a thread needs from reading the clock to
 * reserving.  STALE: the longest time until a store is seen by all processors.
 */
#if defined(__aarch64__)
#define GRACE UINT64_C(64)
#else
#define GRACE UINT64_C(4096)
#endif
#define STALE (UINT64_C(1) << 17)

/* The result of one look at each chunk. */
struct view {
	uint64_t begin;		    /* the time before the look */
	struct ptl_ordered event;   /* the oldest committed */
	uint64_t second;	    /* the oldest in the other chunks */
	struct ptl_ordered pending; /* the oldest that is being written */
	uint32_t losing;	    /* a chunk being taken over, or NONE */
	uint32_t leaving;	    /* a chunk its owner is leaving, or NONE */
	uint32_t nr_frontiers;
	uint32_t frontier[MAX_FRONTIERS]; /* open, with nothing new in them */
};

/* How long this call has been waiting. */
struct wait {
	uint64_t since;
	unsigned int tries;
	bool over; /* something is wrong: take what there is */
};

/* A lower bound for the time of a record that is being written. */
static uint64_t pending_counter(const struct ptl_cursor *cursor,
				const struct ptl_record *rec, uint64_t now)
{
	uint32_t ahead = (uint32_t)rec->time - (uint32_t)now;
	uint64_t counter;

	/* Of its time only the lower half is stored, and of some records not
	 * even that. */
	if (rec->id != PTL_ID_PENDING || rec->extended)
		return cursor->last;
	counter = ahead < 1u << 24 ? now + ahead : now - (uint32_t)-ahead;
	return PTL_MAX(counter, cursor->last);
}

static void older(struct ptl_ordered *found, uint32_t chunk, uint64_t pos,
		  const struct ptl_record *rec, uint64_t counter)
{
	if (found->chunk == NONE || counter < found->counter)
		*found = (struct ptl_ordered){chunk, pos, *rec, counter};
}

static void older_event(struct view *view, uint32_t chunk, uint64_t pos,
			const struct ptl_record *rec, uint64_t counter)
{
	if (view->event.chunk != NONE)
		view->second = PTL_MIN(view->second,
				       PTL_MAX(counter, view->event.counter));
	older(&view->event, chunk, pos, rec, counter);
}

static const struct ptl_shm_chunk *chunk_of(const struct ptl_stream *stream,
					    uint32_t n)
{
	uint32_t i;
	const struct ptl_map *map = ptl_stream_chunk(stream, n, &i);

	return &map->table[i];
}

static uint64_t own_of(const struct ptl_stream *stream, uint32_t n)
{
	return atomic_load_explicit(&chunk_of(stream, n)->own,
				    memory_order_relaxed);
}

static uint64_t seq_of(const struct ptl_stream *stream, uint32_t n)
{
	return atomic_load_explicit(&chunk_of(stream, n)->seq,
				    memory_order_relaxed);
}

static uint32_t owner_of(const struct ptl_stream *stream, uint32_t n)
{
	return ptl_own_tid(own_of(stream, n));
}

/*
 * A thread goes on to a new chunk before it closes the old one.  In between
 * handlers may record.  If the thread had reserved a place in the old chunk of
 * which nothing is stored yet, the old chunk looks as if nothing more were in
 * it; but what is in the new chunk is later.  A chunk keeps its owner when it
 * is closed.
 */
static uint32_t find_leaving(const struct ptl_stream *stream,
			     const struct view *view)
{
	uint32_t here = view->event.chunk, tid;

	if (here == NONE)
		return NONE;
	tid = owner_of(stream, here);
	for (uint32_t n = 0; tid && n < view->nr_frontiers; n++) {
		uint32_t i = view->frontier[n];

		if (i != here && owner_of(stream, i) == tid &&
		    stream->cursor[i].ignored != own_of(stream, i) &&
		    seq_of(stream, i) < seq_of(stream, here))
			return i;
	}
	return NONE;
}

static void look(struct ptl_stream *stream, struct view *view)
{
	struct ptl_record rec;

	view->begin = ptl_counter_now(stream->map->clock);
	/* Pairs with the commit in ptl_record_write(). */
	atomic_thread_fence(memory_order_seq_cst);
	view->event = view->pending = (struct ptl_ordered){.chunk = NONE};
	view->second = UINT64_MAX;
	view->losing = NONE;
	view->nr_frontiers = 0;
	for (uint32_t n = 0; n < stream->nr_chunks; n++) {
		struct ptl_cursor *cursor = &stream->cursor[n];
		uint32_t i;
		struct ptl_map *map = ptl_stream_chunk(stream, n, &i);

		if (!map)
			continue;
		switch (ptl_cursor_peek(map, i, cursor, PTL_PATIENCE_ORDER,
					&rec)) {
		case PTL_PEEK_NOTHING:
			break;
		case PTL_PEEK_FRONTIER:
			if (view->nr_frontiers < MAX_FRONTIERS)
				view->frontier[view->nr_frontiers++] = n;
			break;
		case PTL_PEEK_PENDING:
			older(&view->pending, n, cursor->pos, &rec,
			      pending_counter(cursor, &rec, view->begin));
			break;
		case PTL_PEEK_LOSING:
			if (cursor->ignored != own_of(stream, n))
				view->losing = n;
			break;
		case PTL_PEEK_ALL:
			if (ptl_cursor_consume(map, i, cursor))
				ptl_chunk_free(map, i, cursor->gen,
					       ptl_thread.tid);
			break;
		case PTL_PEEK_EVENT:
			older_event(view, n, cursor->pos, &rec,
				    ptl_cursor_counter(cursor, &rec));
			break;
		}
	}
	view->leaving = find_leaving(stream, view);
}

static bool same(const struct ptl_ordered *a, const struct ptl_ordered *b)
{
	return a->chunk == b->chunk && a->pos == b->pos &&
	       a->counter == b->counter;
}

/*
 * Looks until the event found is the oldest for sure.  During a look a thread
 * may have gone on from a chunk that was already looked at to one that was not:
 * so an event that is very new must be found a second time.
 */
static void look_twice(struct ptl_stream *stream, struct view *view)
{
	struct ptl_ordered before = {.chunk = NONE};
	uint64_t age;

	/* In a damaged segment its time may be in the future for ever. */
	for (unsigned int tries = 0; tries < 64; tries++) {
		look(stream, view);
		if (view->event.chunk == NONE)
			return;
		age = view->begin - view->event.counter;
		if (view->begin > view->event.counter &&
		    (age > STALE ||
		     (age > GRACE && same(&before, &view->event))))
			return;
		before = view->event;
	}
}

/* Looks for dead threads, now and then or at once.  True: another look at the
 * chunks may find more. */
static bool look_deep(struct ptl_stream *stream, bool at_once)
{
	uint64_t now = ptl_clock_ns(CLOCK_MONOTONIC);

	if (!at_once && now - stream->last_deep < DEEP_INTERVAL_NS)
		return false;
	stream->last_deep = now;
	return ptl_bridges_reap(stream) > 0;
}

/* Is something committed after a record that is being written? */
static bool something_behind(const struct ptl_stream *stream)
{
	for (uint32_t n = 0; n < stream->nr_chunks; n++) {
		struct ptl_cursor cursor = stream->cursor[n];
		uint32_t i;
		const struct ptl_map *map = ptl_stream_chunk(stream, n, &i);
		struct ptl_record rec;

		if (map &&
		    ptl_cursor_peek(map, i, &cursor, PTL_PATIENCE_ORDER,
				    &rec) == PTL_PEEK_PENDING &&
		    ptl_cursor_peek(map, i, &cursor, PTL_PATIENCE_PASS, &rec) ==
			    PTL_PEEK_EVENT)
			return true;
	}
	return false;
}

/* Is the thread that we wait for dead, stopped, or asleep in a handler? */
static bool hopeless(struct ptl_stream *stream, uint32_t chunk)
{
	uint32_t tid = owner_of(stream, chunk);

	return tid == ptl_thread.tid ||
	       (!(tid & PTL_TID_FOREIGN) && ptl_tid_idle((int)tid));
}

/*
 * An event is there, but an older record is being written, or may be, or a loss
 * is being counted: waits a moment.  If it has taken too long, goes on without
 * that record.
 */
static void hold(struct ptl_stream *stream, const struct view *view,
		 struct wait *wait)
{
	struct timespec pause = {0, PAUSE_NS};
	uint32_t busy = view->losing != NONE ? view->losing : view->leaving;
	uint32_t chunk = busy != NONE ? busy : view->pending.chunk;
	uint64_t now;

	if (wait->tries++ < SPINS)
		return;
	now = ptl_clock_ns(CLOCK_MONOTONIC);
	if (wait->since == 0)
		wait->since = now;
	if (now - wait->since < PATIENCE_NS && !hopeless(stream, chunk)) {
		ptl_sys(SYS_nanosleep, &pause, NULL, 0, 0);
		return;
	}
	wait->over = now - wait->since > 2 * PATIENCE_NS;
	if (ptl_bridges_reap(stream))
		return;
	if (busy != NONE)
		stream->cursor[chunk].ignored = own_of(stream, chunk);
	else
		ptl_cursor_pass(&stream->cursor[chunk]);
}

/* Must we wait before the event is delivered? */
static bool must_hold(const struct ptl_stream *stream, const struct view *view,
		      uint32_t state)
{
	if (view->event.chunk != NONE)
		return view->losing != NONE || view->leaving != NONE ||
		       (view->pending.chunk != NONE &&
			view->pending.counter <= view->event.counter);
	return view->pending.chunk != NONE &&
	       (state != PTL_STATE_RUNNING || something_behind(stream));
}

/*
 * The result of a look also holds for the events that follow in the same chunk,
 * as long as they are older than the oldest event of the other chunks and were
 * there when the look began: what was added to other chunks since is later.  At
 * the look no record was being written that had to be waited for; if one is
 * being written in this chunk now, the run ends there.  A run is short in any
 * case, so that events that come late are not delayed further.
 */
static void begin_run(struct ptl_stream *stream, const struct view *view)
{
	struct ptl_reading *reading = &stream->reading;

	reading->run_limit = 0;
	if (view->event.chunk == NONE || view->pending.chunk != NONE ||
	    view->losing != NONE || view->leaving != NONE ||
	    view->begin < STALE)
		return;
	reading->run = view->event.chunk;
	reading->run_limit = PTL_MIN(view->second, view->begin - STALE);
	reading->run_begin = view->begin;
}

static bool next_of_run(struct ptl_stream *stream, struct ptl_ordered *found)
{
	const struct ptl_reading *reading = &stream->reading;
	struct ptl_cursor *cursor = &stream->cursor[reading->run];
	uint32_t i;
	const struct ptl_map *map = ptl_stream_chunk(stream, reading->run, &i);

	if (!reading->run_limit || !map ||
	    ptl_counter_now(stream->map->clock) - reading->run_begin > STALE ||
	    ptl_cursor_peek(map, i, cursor, PTL_PATIENCE_ORDER, &found->rec) !=
		    PTL_PEEK_EVENT)
		return false;
	found->chunk = reading->run;
	found->pos = cursor->pos;
	found->counter = ptl_cursor_counter(cursor, &found->rec);
	return found->counter < reading->run_limit &&
	       found->rec.id != PTL_EV_STOP;
}

bool ptl_order_next(struct ptl_stream *stream, struct ptl_ordered *found,
		    struct ptl_merge_end *end)
{
	unsigned int tries = 0;
	struct wait wait = {0};
	struct view view;
	uint32_t state;

	if (++stream->reading.looks % 1024 == 0)
		look_deep(stream, false);
	else if (next_of_run(stream, found))
		return true;
	for (;;) {
		/* What was recorded before the stream was full is seen after
		 * this.  Pairs with ptl_head_change(). */
		state = atomic_load_explicit(&stream->map->head->state,
					     memory_order_acquire) &
			PTL_STATE_BITS;
		look_twice(stream, &view);
		/* Before we say that there is no more, look for what may be
		 * hidden. */
		if ((view.event.chunk == NONE ||
		     view.event.rec.id == PTL_EV_STOP) &&
		    tries++ < 64 &&
		    look_deep(stream, state != PTL_STATE_RUNNING))
			continue;
		if (wait.over || !must_hold(stream, &view, state))
			break;
		hold(stream, &view, &wait);
	}
	begin_run(stream, &view);
	*end = (struct ptl_merge_end){state,
				      view.begin - PTL_MIN(view.begin, STALE)};
	*found = view.event;
	return found->chunk != NONE;
}
