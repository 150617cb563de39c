/* SPDX-License-Identifier: MIT */
/*
 * Judges what is read.  Numbers of one writer and level follow on each other;
 * where some are missing, there must have been a mark since the last one: the
 * stream was stopped or filtered, or was full, or events were overwritten.
 * Marks are events, too, so what explains a gap has its place in the order.
 */
#include "t/stress/stress.h"

#include <stdlib.h>
#include <string.h>

/* What was seen of a level of a writer. */
struct line {
	uint64_t next;	/* the number to come */
	uint64_t index; /* of its last event among all; 0: none yet */
	uint64_t late;	/* the filter mark after which one more came */
	int64_t time;	/* of its last event */
	int inexact;	/* the last was too short to tell its number */
};

struct checker {
	unsigned int stream;
	int loops; /* the oldest events make room for the new */
	size_t max_data;
	uint64_t index;	   /* events judged */
	uint64_t mark;	   /* of the last that explains what is missing */
	int64_t mark_time; /* its time, ns */
	int64_t clear_time;
	uint64_t filter_mark;
	uint64_t untold; /* events were overwritten, if OVERFLOW comes yet */
	int64_t untold_time;
	uint64_t suspect; /* an event filtered, if no FILTER comes after it */
	int64_t suspect_time;
	int running; /* -1: not known */
	int64_t stop_time;
	int filtered[NR_LEVELS];
	int filter_known;
	int calm;
	/* LOOP: events younger than the first survivor may have been lost with
	 * those that OVERFLOW and RESUME stand for. */
	int overwritten;
	uint64_t users, missing;
	uint64_t marks;
	/* The last marks, to be told when something is wrong. */
	struct {
		trace_event_id_t id;
		int reason;
		uint64_t index;
		int64_t time;
	} history[8];
	struct line line[NR_WORKERS][NR_THREADS][NR_LEVELS];
	int64_t last[NR_WORKERS][NR_THREADS];
	int last_level[NR_WORKERS][NR_THREADS];
};

struct checker *st_checker_new(unsigned int stream, int loops, size_t max_data)
{
	struct checker *c = calloc(1, sizeof(*c));

	if (!c)
		abort();
	c->stream = stream;
	c->loops = loops;
	c->max_data = max_data;
	c->filter_known = 1;
	c->index = 1;
	return c;
}

void st_checker_free(struct checker *c)
{
	free(c);
}

uint64_t st_checker_events(const struct checker *c)
{
	return c->users;
}

uint64_t st_checker_missing(const struct checker *c)
{
	return c->missing;
}

static int64_t time_of(const struct posix_trace_event_info *info)
{
	return info->posix_timestamp.tv_sec * INT64_C(1000000000) +
	       info->posix_timestamp.tv_nsec;
}

static void take_filter(struct checker *c, const void *data)
{
	trace_event_set_t set;

	memcpy(&set, data, sizeof(set));
	for (int level = 0; level < NR_LEVELS; level++)
		posix_trace_eventset_ismember(st_id[level], &set,
					      &c->filtered[level]);
	c->filter_known = 1;
	c->filter_mark = c->index;
}

static void take_mark(struct checker *c, int64_t time)
{
	c->mark = c->index;
	if (time > c->mark_time)
		c->mark_time = time;
}

void st_checker_cleared(struct checker *c)
{
	/* The reader may have had one in hand that is judged only now. */
	c->clear_time = st_now(CLOCK_REALTIME);
	take_mark(c, c->clear_time);
	c->suspect = 0;
	c->untold = 0;
	memset(c->filtered, 0, sizeof(c->filtered));
	c->filter_known = 1;
	c->filter_mark = c->index;
	/* As before, and that was not told again; or not, if it was full. */
	c->running = -1;
}

static void check_stop(struct checker *c, const unsigned char *data,
		       size_t size)
{
	int reason = 0;

	if (size != sizeof(reason))
		st_fail("stream %u: STOP with %zu bytes", c->stream, size);
	else
		memcpy(&reason, data, sizeof(reason));
	if (reason && c->calm)
		st_fail("stream %u: full, with less in it than it has to hold",
			c->stream);
	c->running = 0;
}

static void overflowed(struct checker *c)
{
	if (c->calm)
		st_fail("stream %u: OVERFLOW, with less in it than it has to "
			"hold",
			c->stream);
	if (!c->loops)
		return;
	/* What was overwritten may have been START, STOP or FILTER. */
	c->running = -1;
	c->filter_known = 0;
	c->suspect = 0;
	c->untold = 0;
	c->overwritten = 1;
}

static void remember(struct checker *c,
		     const struct posix_trace_event_info *info,
		     const unsigned char *data, size_t size)
{
	size_t at = c->marks++ % 8;

	c->history[at].id = info->posix_event_id;
	c->history[at].reason = size ? data[0] : 0;
	c->history[at].index = c->index;
	c->history[at].time = time_of(info);
}

static void check_system(struct checker *c,
			 const struct posix_trace_event_info *info,
			 const unsigned char *data, size_t size)
{
	/* The reader had it in hand: since then all is new. */
	if (time_of(info) <= c->clear_time)
		return;
	switch (info->posix_event_id) {
	case POSIX_TRACE_START:
		if (size != sizeof(trace_event_set_t))
			st_fail("stream %u: START with %zu bytes", c->stream,
				size);
		take_filter(c, data);
		c->running = 1;
		break;
	case POSIX_TRACE_STOP:
		check_stop(c, data, size);
		c->stop_time = time_of(info);
		break;
	case POSIX_TRACE_FILTER:
		if (size != 2 * sizeof(trace_event_set_t))
			st_fail("stream %u: FILTER with %zu bytes", c->stream,
				size);
		take_filter(c, data + sizeof(trace_event_set_t));
		c->suspect = 0;
		break;
	case POSIX_TRACE_OVERFLOW:
		overflowed(c);
		break;
	case POSIX_TRACE_RESUME:
		break;
	default:
		return;
	}
	take_mark(c, time_of(info));
	remember(c, info, data, size);
}

/* Events of which process? */
static struct worker *worker_of(const struct checker *c, int pid)
{
	for (int i = 0; i < NR_WORKERS; i++)
		if (st->worker[i].pid == pid &&
		    st->worker[i].members >> c->stream & 1)
			return &st->worker[i];
	return NULL;
}

/* Which of its writers? */
static int slot_of(const struct worker *w,
		   const struct posix_trace_event_info *info)
{
	for (int slot = 0; slot < NR_THREADS; slot++)
		if (w->writer[slot].tid == info->posix_tid_np &&
		    w->writer[slot].thread ==
			    (unsigned long)info->posix_thread_id)
			return slot;
	return -1;
}

static int level_of(trace_event_id_t id)
{
	for (int level = 0; level < NR_LEVELS; level++)
		if (st_id[level] == id)
			return level;
	return -1;
}

/* May events before this one be missing? */
static int is_explained(const struct checker *c, const struct worker *w,
			const struct line *line, int level)
{
	if (c->running < 0 || !c->filter_known || c->filtered[level] ||
	    line->inexact || c->overwritten)
		return 1;
	if (line->index)
		return line->index < c->mark || line->time <= c->clear_time;
	return w->born <= c->mark_time;
}

/* Is it the event of that number, whole or cut? */
static int is_event(const struct checker *c, int pid, int slot, int level,
		    uint64_t seq, const unsigned char *data, size_t size)
{
	unsigned char want[MAX_SIZE + 8];
	size_t whole = st_event_size(pid, slot, level, seq);

	if (size != (whole > c->max_data ? c->max_data : whole))
		return 0;
	st_event_fill(want, size, pid, slot, level, seq);
	return memcmp(want, data, size) == 0;
}

/*
 * The number of an event: the least it can be.  Those too short to tell it
 * must be the next, or after a gap the first that fits.
 */
static int find_seq(const struct checker *c, int pid, int slot, int level,
		    uint64_t least, uint64_t end, const unsigned char *data,
		    size_t size, uint64_t *seq)
{
	if (size >= sizeof(*seq)) {
		memcpy(seq, data, sizeof(*seq));
		return *seq < end &&
		       is_event(c, pid, slot, level, *seq, data, size);
	}
	for (*seq = least; *seq < end; ++*seq)
		if (is_event(c, pid, slot, level, *seq, data, size))
			return 1;
	return 0;
}

/* What the stream told of itself before a wrong event of that time. */
static void tell_history(const struct checker *c, int64_t time)
{
	st_say("  %llu judged, filter %d%d%d known %d running %d",
	       (unsigned long long)c->index, c->filtered[0], c->filtered[1],
	       c->filtered[2], c->filter_known, c->running);
	for (size_t i = 0; i < 8; i++) {
		size_t at = (c->marks + i) % 8;

		if (c->history[at].id)
			st_say("  mark %u (%d), %llu events and %lld ns before",
			       c->history[at].id, c->history[at].reason,
			       (unsigned long long)(c->index -
						    c->history[at].index),
			       (long long)(time - c->history[at].time));
	}
}

static void fail_between(const struct checker *c, int64_t time)
{
	st_fail("stream %u: a user event between STOP and START", c->stream);
	tell_history(c, time);
}

/* Who overwrites events may be kept from telling until later. */
static int may_be_untold(const struct checker *c)
{
	return c->loops && !c->calm;
}

static void owe_overflow(struct checker *c, int64_t time)
{
	c->untold = c->index;
	c->untold_time = time;
}

static void check_state(struct checker *c, struct line *line, int level,
			int64_t time)
{
	if (c->running == 0 && time > c->stop_time && !c->overwritten) {
		/* START may be overwritten, too. */
		if (may_be_untold(c))
			owe_overflow(c, time);
		else
			fail_between(c, time);
	}
	if (!c->filter_known || !c->filtered[level])
		return;
	/* Who had looked at the filter before it was set may finish; and who
	 * looks when it was taken away may be before FILTER says so. */
	if (line->late >= c->filter_mark && !c->suspect) {
		c->suspect = c->index;
		c->suspect_time = time;
	}
	line->late = c->index;
}

static void check_truncation(const struct checker *c, size_t whole, int status)
{
	int want = whole > c->max_data ? POSIX_TRACE_TRUNCATED_RECORD :
					 POSIX_TRACE_NOT_TRUNCATED;

	if (status != want)
		st_fail("stream %u: truncation status %d, want %d", c->stream,
			status, want);
}

/* What went wrong with an event, and when. */
static void fail_at(const struct checker *c, const struct worker *w, int slot,
		    int level, int64_t time, const char *what, uint64_t seq)
{
	const struct line *line = &c->line[w - st->worker][slot][level];

	st_fail("stream %u: pid %d slot %d level %d: %s: %llu, after %llu",
		c->stream, w->pid, slot, level, what, (unsigned long long)seq,
		(unsigned long long)line->next - 1);
	tell_history(c, time);
}

/* It is surely that event: is it in its place? */
static void check_place(struct checker *c, const struct worker *w, int slot,
			int level, uint64_t seq, int64_t time)
{
	const struct line *line = &c->line[w - st->worker][slot][level];
	int64_t *last = &c->last[w - st->worker][slot];
	int *last_level = &c->last_level[w - st->worker][slot];

	if (seq < line->next)
		fail_at(c, w, slot, level, time, "out of order", seq);
	if (seq > line->next && !is_explained(c, w, line, level)) {
		if (may_be_untold(c))
			owe_overflow(c, time);
		else
			fail_at(c, w, slot, level, time, "some are missing",
				seq);
	}
	/* One that a handler interrupted half-way may come late. */
	if (time < *last && level >= *last_level)
		fail_at(c, w, slot, level, time, "time goes back", seq);
	if (time < *last)
		return;
	*last = time;
	*last_level = level;
}

static void check_brief(struct checker *c,
			const struct posix_trace_event_info *info,
			const unsigned char *data, size_t size)
{
	const struct worker *w = worker_of(c, info->posix_pid);
	uint64_t seq;

	memcpy(&seq, data, sizeof(seq));
	if (!w ||
	    (size >= sizeof(seq) &&
	     !is_event(c, w->pid, BRIEF_SLOT, BRIEF_LEVEL, seq, data, size)))
		st_fail("stream %u: wrong bytes of a brief thread of pid %d",
			c->stream, info->posix_pid);
}

static void check_user(struct checker *c,
		       const struct posix_trace_event_info *info, int level,
		       const unsigned char *data, size_t size)
{
	struct worker *w = worker_of(c, info->posix_pid);
	int slot = w ? slot_of(w, info) : -1, pid = info->posix_pid;
	struct line *line;
	uint64_t seq;

	if (slot < 0) {
		st_fail("stream %u: an event of %s, pid %d tid %d", c->stream,
			w ? "no such thread" : "a process not traced", pid,
			(int)info->posix_tid_np);
		return;
	}
	line = &c->line[w - st->worker][slot][level];
	if (!find_seq(c, pid, slot, level, line->next,
		      w->writer[slot].begun[level], data, size, &seq)) {
		fail_at(c, w, slot, level, time_of(info), "wrong bytes", seq);
		return;
	}
	check_place(c, w, slot, level, seq, time_of(info));
	line->inexact = size < sizeof(seq) && is_explained(c, w, line, level);
	check_state(c, line, level, time_of(info));
	check_truncation(c, st_event_size(pid, slot, level, seq),
			 info->posix_truncation_status);
	if (!st_is_caller(info->posix_prog_address))
		st_fail("stream %u: called from %p", c->stream,
			info->posix_prog_address);
	c->missing += seq > line->next ? seq - line->next : 0;
	c->users++;
	line->next = seq + 1;
	line->index = c->index;
	line->time = time_of(info);
}

void st_check(struct checker *c, const struct posix_trace_event_info *info,
	      const unsigned char *data, size_t size)
{
	int level = level_of(info->posix_event_id);

	c->index++;
	if (info->posix_event_id == st_brief_id)
		check_brief(c, info, data, size);
	else if (level < 0)
		check_system(c, info, data, size);
	else
		check_user(c, info, level, data, size);
}

void st_check_tails(struct checker *c)
{
	if (c->untold) {
		st_fail("stream %u: some are missing, %llu events ago, and no "
			"OVERFLOW",
			c->stream, (unsigned long long)(c->index - c->untold));
		tell_history(c, c->untold_time);
	}
	c->untold = 0;
	if (c->suspect) {
		st_fail("stream %u: an event that is filtered, %llu events ago",
			c->stream, (unsigned long long)(c->index - c->suspect));
		tell_history(c, c->suspect_time);
	}
	for (int i = 0; i < NR_WORKERS * NR_THREADS * NR_LEVELS; i++) {
		int level = i % NR_LEVELS, slot = i / NR_LEVELS % NR_THREADS;
		struct worker *w = &st->worker[i / NR_LEVELS / NR_THREADS];
		struct line *line = &c->line[w - st->worker][slot][level];
		uint64_t done = w->writer[slot].done[level];

		if (!w->pid || !(w->members >> c->stream & 1) ||
		    line->next >= done || c->running == 0 ||
		    is_explained(c, w, line, level))
			continue;
		st_fail("stream %u: pid %d slot %d level %d: %llu to %llu "
			"never came%s",
			c->stream, w->pid, slot, level,
			(unsigned long long)line->next,
			(unsigned long long)done - 1,
			w->dead ? " (the process is dead)" : "");
		tell_history(c, st_now(CLOCK_REALTIME));
	}
}

/* Has the stream told all that was done to it? */
static void check_told(const struct checker *c, int running,
		       const trace_event_set_t *filter)
{
	if (c->running >= 0 && c->running != running)
		st_fail("stream %u: it has not told that it %s", c->stream,
			running ? "was started" : "was stopped");
	/* While it is stopped it need not tell. */
	for (int level = 0; level < NR_LEVELS; level++) {
		int member;

		posix_trace_eventset_ismember(st_id[level], filter, &member);
		if (running && c->running == 1 && c->filter_known &&
		    member != c->filtered[level])
			st_fail("stream %u: it has not told of its filter",
				c->stream);
	}
}

void st_checker_sync(struct checker *c, int running,
		     const trace_event_set_t *filter, int calm)
{
	check_told(c, running, filter);
	st_check_tails(c);
	c->running = running;
	take_filter(c, filter);
	c->calm = calm;
	c->overwritten = 0;
}
