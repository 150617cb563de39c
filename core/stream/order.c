/* SPDX-License-Identifier: MIT */
/*
 * The order of events is that of their times.  An event is the next when
 *   - it is the oldest of all chunks, in a look that began after it was there:
 *     so of its own thread nothing older was still to be seen;
 *   - no older record is being written.  For such a one we wait, while its
 *     thread runs, PATIENCE_NS at most in one call: never does a reader say
 *     that there is nothing while a committed event is there.
 * What is not seen is a thread between reading the clock and reserving: for
 * this some GRACE is given.  If it is held up longer there, its event comes
 * late, but never within its own thread: whatever its handlers record then
 * makes its reservation fail, and it reads the clock again.
 *
 * What we do not wait for comes late: a record whose thread is stopped, asleep
 * in a handler over it, or kept from running for longer than we wait; and the
 * loss that such a thread was counting, of a chunk it was taking over, which is
 * told when it goes on.
 */
#include "core/stream/order.h"

#include "core/buffer/chunk.h"
#include "core/buffer/counter.h"
#include "core/buffer/slot.h"
#include "core/format/sysevents.h"
#include "core/sys/clock.h"
#include "core/sys/ident.h"
#include "core/sys/syscall.h"

#define NONE UINT32_MAX

/* More threads than can keep chunks, but for very large streams. */
#define MAX_FRONTIERS 64

/* How often to look through whole chunks, in ns, and how far otherwise. */
#define DEEP_INTERVAL_NS UINT64_C(10000000)
#define NEAR_BYTES 256

/* In one call, how long to wait for records that are being written, and for how
 * many looks before asking whether their writers run at all. */
#define PATIENCE_NS UINT64_C(200000000)
#define PAUSE_NS 20000
#define SPINS 50

/*
 * Ticks: what others need from reading the clock to reserving; and what stores
 * need at the very most to be seen everywhere.
 */
#if defined(__aarch64__)
#define GRACE UINT64_C(64)
#else
#define GRACE UINT64_C(4096)
#endif
#define STALE (UINT64_C(1) << 17)

/* What one look at each chunk told. */
struct view {
	uint64_t begin;		  /* the time before it */
	struct ptl_found event;	  /* the oldest committed */
	uint64_t second;	  /* the oldest of the other chunks' */
	struct ptl_found pending; /* the oldest that is being written */
	uint32_t losing;	  /* a chunk being taken over, or NONE */
	uint32_t leaving;	  /* a chunk its owner is leaving, or NONE */
	uint32_t nr_frontiers;
	uint32_t frontier[MAX_FRONTIERS]; /* open, and nothing more in them */
};

/* How long this call has been waiting. */
struct wait {
	uint64_t since;
	unsigned int tries;
	bool over; /* something is wrong: goes on with what there is */
};

/* A time that a record being written is not before. */
static uint64_t pending_counter(const struct ptl_cursor *cursor,
				const struct ptl_record *rec, uint64_t now)
{
	uint32_t ahead = (uint32_t)rec->time - (uint32_t)now;
	uint64_t counter;

	/* Only half of its time is there, and of some not even that. */
	if (rec->id != PTL_ID_PENDING || rec->extended)
		return cursor->last;
	counter = ahead < 1u << 24 ? now + ahead : now - (uint32_t)-ahead;
	return PTL_MAX(counter, cursor->last);
}

static void older(struct ptl_found *found, uint32_t chunk, uint64_t pos,
		  const struct ptl_record *rec, uint64_t counter)
{
	if (found->chunk == NONE || counter < found->counter)
		*found = (struct ptl_found){chunk, pos, *rec, counter};
}

static void older_event(struct view *view, uint32_t chunk, uint64_t pos,
			const struct ptl_record *rec, uint64_t counter)
{
	if (view->event.chunk != NONE)
		view->second = PTL_MIN(view->second,
				       PTL_MAX(counter, view->event.counter));
	older(&view->event, chunk, pos, rec, counter);
}

static uint64_t own_of(const struct ptl_map *map, uint32_t chunk)
{
	return atomic_load_explicit(&map->table[chunk].own,
				    memory_order_relaxed);
}

static uint32_t owner_of(const struct ptl_map *map, uint32_t chunk)
{
	return ptl_own_tid(own_of(map, chunk));
}

/*
 * A thread goes on to a new chunk before it closes the old one.  If handlers
 * come in between, and the thread had reserved a place in the old one of which
 * nothing is stored yet, that looks as if nothing more were in it; but what is
 * in the new one is later.  The old chunk keeps its owner when it is closed.
 */
static uint32_t find_leaving(const struct ptl_stream *stream,
			     const struct view *view)
{
	const struct ptl_map *map = stream->map;
	uint32_t here = view->event.chunk, tid;

	if (here == NONE)
		return NONE;
	tid = owner_of(map, here);
	for (uint32_t n = 0; tid && n < view->nr_frontiers; n++) {
		uint32_t i = view->frontier[n];

		if (i != here && owner_of(map, i) == tid &&
		    stream->cursor[i].ignored != own_of(map, i) &&
		    atomic_load_explicit(&map->table[i].seq,
					 memory_order_relaxed) <
			    atomic_load_explicit(&map->table[here].seq,
						 memory_order_relaxed))
			return i;
	}
	return NONE;
}

static void look(struct ptl_stream *stream, struct view *view)
{
	struct ptl_map *map = stream->map;
	struct ptl_record rec;

	view->begin = ptl_counter_now(map->clock);
	/* Pairs with the commit in ptl_record_write(). */
	atomic_thread_fence(memory_order_seq_cst);
	view->event = view->pending = (struct ptl_found){.chunk = NONE};
	view->second = UINT64_MAX;
	view->losing = NONE;
	view->nr_frontiers = 0;
	for (uint32_t i = 0; i < map->nr_chunks; i++) {
		struct ptl_cursor *cursor = &stream->cursor[i];

		switch (ptl_cursor_peek(map, i, cursor, PTL_PATIENCE_ORDER,
					&rec)) {
		case PTL_PEEK_NOTHING:
			break;
		case PTL_PEEK_FRONTIER:
			if (view->nr_frontiers < MAX_FRONTIERS)
				view->frontier[view->nr_frontiers++] = i;
			break;
		case PTL_PEEK_PENDING:
			older(&view->pending, i, cursor->pos, &rec,
			      pending_counter(cursor, &rec, view->begin));
			break;
		case PTL_PEEK_LOSING:
			if (cursor->ignored != own_of(map, i))
				view->losing = i;
			break;
		case PTL_PEEK_ALL:
			if (ptl_cursor_consume(map, i, cursor))
				ptl_chunk_free(map, i, cursor->gen,
					       ptl_thread.tid);
			break;
		case PTL_PEEK_EVENT:
			older_event(view, i, cursor->pos, &rec,
				    ptl_cursor_counter(cursor, &rec));
			break;
		}
	}
	view->leaving = find_leaving(stream, view);
}

static bool same(const struct ptl_found *a, const struct ptl_found *b)
{
	return a->chunk == b->chunk && a->pos == b->pos &&
	       a->counter == b->counter;
}

/*
 * Looks until what it finds is the oldest for sure.  While we looked, a thread
 * may have gone on from a chunk we had passed to one we had not: an event of
 * just now must be found a second time.
 */
static void look_twice(struct ptl_stream *stream, struct view *view)
{
	struct ptl_found before = {.chunk = NONE};
	uint64_t age;

	/* In a damaged segment it may be of the future for ever. */
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

/*
 * Looks for places reserved of which nothing is stored, behind which something
 * is; and for the dead.  True if another look may tell more.
 */
static bool look_deep(struct ptl_stream *stream, bool all)
{
	uint64_t now = ptl_clock_ns(CLOCK_MONOTONIC);
	struct ptl_map *map = stream->map;
	bool more = false;

	all = all || now - stream->last_deep >= DEEP_INTERVAL_NS;
	for (uint32_t i = 0; i < map->nr_chunks; i++)
		more |= ptl_cursor_scan(map, i, &stream->cursor[i],
					all ? map->chunk_size : NEAR_BYTES);
	if (more || !all)
		return more;
	stream->last_deep = now;
	return ptl_chunk_reap(map) > 0;
}

/* Is something committed behind a record that is being written? */
static bool something_behind(const struct ptl_stream *stream)
{
	for (uint32_t i = 0; i < stream->map->nr_chunks; i++) {
		struct ptl_cursor cursor = stream->cursor[i];
		struct ptl_record rec;

		if (ptl_cursor_peek(stream->map, i, &cursor, PTL_PATIENCE_ORDER,
				    &rec) == PTL_PEEK_PENDING &&
		    ptl_cursor_peek(stream->map, i, &cursor, PTL_PATIENCE_PASS,
				    &rec) == PTL_PEEK_EVENT)
			return true;
	}
	return false;
}

/* Whom we wait for: dead, stopped, asleep in a handler? */
static bool hopeless(struct ptl_stream *stream, uint32_t chunk)
{
	uint32_t tid = owner_of(stream->map, chunk);

	return tid == ptl_thread.tid ||
	       (!(tid & PTL_TID_FOREIGN) && ptl_tid_idle((int)tid));
}

/*
 * An event is there, but an older record is being written, or may be, or what
 * was lost is being counted: waits a moment.  If it has taken too long: goes on
 * without.
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
	if (ptl_chunk_reap(stream->map))
		return;
	if (busy != NONE)
		stream->cursor[chunk].ignored = own_of(stream->map, chunk);
	else
		ptl_cursor_pass(stream->map, chunk, &stream->cursor[chunk]);
}

/* Must what was found be kept back for now? */
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
 * What a look found goes for the events that follow in the same chunk, too, as
 * long as they are older than what the other chunks had, and were there when
 * the look began: what those have got since is later.  Nothing was being
 * written then that had to be waited for; what is now, in this chunk, ends the
 * run.  It ends soon in any case, for what comes late even so.
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

static bool next_of_run(struct ptl_stream *stream, struct ptl_found *found)
{
	const struct ptl_reading *reading = &stream->reading;
	uint32_t i = reading->run;
	struct ptl_cursor *cursor = &stream->cursor[i];

	if (!reading->run_limit ||
	    ptl_counter_now(stream->map->clock) - reading->run_begin > STALE ||
	    ptl_cursor_peek(stream->map, i, cursor, PTL_PATIENCE_ORDER,
			    &found->rec) != PTL_PEEK_EVENT)
		return false;
	found->chunk = i;
	found->pos = cursor->pos;
	found->counter = ptl_cursor_counter(cursor, &found->rec);
	return found->counter < reading->run_limit &&
	       found->rec.id != PTL_EV_STOP;
}

bool ptl_order_next(struct ptl_stream *stream, struct ptl_found *found,
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
		/* What was recorded before it was full is seen after this.
		 * Pairs with ptl_head_change(). */
		state = atomic_load_explicit(&stream->map->head->state,
					     memory_order_acquire) &
			PTL_STATE_BITS;
		look_twice(stream, &view);
		/* Nothing is hidden when we say that there is no more. */
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
