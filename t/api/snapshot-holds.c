/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_snapshot_np: a complete log of what the stream holds, with the
 * times it has; the stream, its reader and its own log are as if nothing had
 * been done.
 */
#include "t/lib/story.h"
#include "t/lib/tap.h"

#include <string.h>

#define NR 100UL

static trace_event_id_t id;

static void record(unsigned long from, unsigned long to)
{
	for (unsigned long i = from; i < to; i++)
		story_put(id, 0, i);
}

/* A snapshot has these numbers, in order, and no others. */
static void has(trace_id_t trid, unsigned long from, unsigned long to,
		const char *name)
{
	int fd = file_make(), err = posix_trace_snapshot_np(trid, fd);
	struct story story;

	is_int(err, 0, "%s: written", name);
	story_log(fd, id, &story);
	ok(story.writer[0].nr == (long)(to - from) &&
		   story.writer[0].first == from &&
		   story.writer[0].last == to - 1 &&
		   story_gaps(&story) + story_disorder(&story) == 0,
	   "%s: events %lu to %lu (%ld: %lu to %lu)", name, from, to - 1,
	   story.writer[0].nr, story.writer[0].first, story.writer[0].last);
	is_int(log_state(fd), POSIX_TRACE_LOG_COMPLETE_NP, "%s: complete",
	       name);
	close(fd);
}

static void check_live(int policy, const char *name)
{
	trace_id_t trid = stream_run(0, stream_attr(65536, 64, policy));
	struct story story;
	struct event ev;

	record(0, NR);
	has(trid, 0, NR, name);
	ok(event_find(trid, id, &ev) && ev.word == 0, "%s: still there", name);
	record(NR, 2 * NR);
	has(trid, 1, 2 * NR, name);
	stream_stop(trid);
	has(trid, 1, 2 * NR, name);
	story_read(trid, id, &story);
	ok(story.writer[0].nr == 2 * NR - 1 && story_disorder(&story) == 0,
	   "%s: its reader gets all", name);
	stream_end(trid);
}

/* What is in its log the stream does not hold any more. */
static void check_logged(int policy, const char *name)
{
	int fd = file_make();
	trace_id_t trid = stream_begin(
		stream_make_log(0, stream_attr(65536, 64, policy), fd));
	struct story story;

	record(0, NR);
	is_int(posix_trace_flush(trid), 0, "%s: flush", name);
	await_flushed(trid);
	record(NR, 2 * NR);
	has(trid, NR, 2 * NR, name);
	is_int(posix_trace_shutdown(trid), 0, "%s: shutdown", name);
	story_log(fd, id, &story);
	ok(story.writer[0].nr == 2 * NR && story_gaps(&story) == 0 &&
		   story_disorder(&story) == 0,
	   "%s: its log has all", name);
}

/* The time of the first of ours in that stream or log. */
static struct timespec first_time(trace_id_t trid)
{
	struct event ev;

	memset(&ev, 0, sizeof(ev));
	event_find(trid, id, &ev);
	return ev.info.posix_timestamp;
}

static void check_times(void)
{
	trace_id_t trid = stream_run(0, NULL), log;
	int fd = file_make(), times = 0;
	struct timespec a, b;
	struct story story;

	record(0, NR);
	posix_trace_snapshot_np(trid, fd);
	log = log_open(fd);
	for (unsigned long i = 0; i < NR; i++) {
		a = first_time(trid);
		b = first_time(log);
		times += a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
	}
	is_int(times, NR, "events have the times that the stream has");
	posix_trace_close(log);
	story_log(fd, id, &story);
	is_int(story.status.posix_stream_status, POSIX_TRACE_RUNNING,
	       "the status is that of the stream");
	stream_end(trid);
}

int main(void)
{
	plan(36);
	id = event_id("an event");
	check_live(POSIX_TRACE_LOOP, "LOOP");
	check_live(POSIX_TRACE_UNTIL_FULL, "UNTIL_FULL");
	check_logged(POSIX_TRACE_LOOP, "LOOP with log");
	check_logged(POSIX_TRACE_UNTIL_FULL, "UNTIL_FULL with log");
	check_times();
	return done();
}
