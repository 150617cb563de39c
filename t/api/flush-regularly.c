/* SPDX-License-Identifier: MIT */
/*
 * POSIX_TRACE_FLUSH: the stream is flushed by itself when it fills up and from
 * time to time, between FLUSH_START and FLUSH_STOP; what is lost meanwhile is
 * told by the status and by STOP, OVERFLOW, RESUME, START.
 */
#include "t/lib/logrun.h"
#include "t/lib/tap.h"

#include <sched.h>

static trace_event_id_t id;

static trace_id_t make(int fd, size_t size)
{
	trace_attr_t *attr =
		story_attr(size, POSIX_TRACE_FLUSH, 0, POSIX_TRACE_APPEND);
	trace_id_t trid = 0;

	posix_trace_attr_setmaxdatasize(attr, 64);
	is_int(posix_trace_create_withlog(0, attr, fd, &trid), 0, "create");
	return stream_begin(trid);
}

/* Slowly, but several times what it may grow to: nothing need be lost. */
static void by_itself(void)
{
	int fd = file_make();
	trace_id_t trid = make(fd, 65536);
	long before = file_size(fd), grown = 0, size;
	struct story story;
	int lost = 0;

	for (unsigned long i = 0; i < 200000; i++) {
		struct posix_trace_status_info status;

		story_put(id, 0, i);
		if (i % 500)
			continue;
		size = file_size(fd);
		grown += size > before;
		before = size;
		do {
			status = status_of(trid);
			lost += status.posix_stream_overrun_status ==
				POSIX_TRACE_OVERRUN;
		} while (status.posix_stream_full_status == POSIX_TRACE_FULL ||
			 status.posix_stream_flush_status ==
				 POSIX_TRACE_FLUSHING);
	}
	ok(grown >= 2, "[streampolicy.7] the log grew by itself %ld times",
	   grown);
	is_int(posix_trace_shutdown(trid), 0, "shutdown");
	story_log(fd, id, &story);
	is_int(story.writer[0].gaps > 0, lost > 0,
	       "[xsh_status.13] a loss is told, and none that was not");
	is_int(story_disorder(&story), 0, "in order");
	is_int(story.outside, 0, "[streampolicy.6] START before each part");
	ok(story.system[POSIX_TRACE_FLUSH_START] >= 1 &&
	   story.flushes_nest == 0,
	   "[xsh_events.11] %ld automatic flushes, START and STOP",
	   story.system[POSIX_TRACE_FLUSH_START]);
}

/* One event, and nobody flushes: the timer does. */
static void by_time(void)
{
	int fd = file_make();
	trace_id_t trid = make(fd, 1 << 20);
	long before = file_size(fd);

	story_put(id, 0, 0);
	while (file_size(fd) <= before)
		sched_yield();
	ok(1, "[streampolicy.7] a single event is flushed in the end");
	stream_end(trid);
}

/* As fast as can be: what is lost is told in its place. */
static void lossy(void)
{
	int fd = file_make(), lost, untold = 0, pairs = 0;
	trace_id_t trid = make(fd, 16384), log;
	unsigned long last = 0;
	struct event ev, seen = { .size = 0 };
	int state = 0, wrong = 0;

	for (unsigned long i = 1; i <= 3000000; i++)
		event_put(id, i);
	lost = status_of(trid).posix_stream_overrun_status ==
	       POSIX_TRACE_OVERRUN;
	is_int(posix_trace_shutdown(trid), 0, "shutdown");
	log = log_open(fd);
	while (event_next(log, &ev)) {
		trace_event_id_t type = ev.info.posix_event_id;

		/* STOP(auto), OVERFLOW, RESUME, START. */
		if (type == POSIX_TRACE_STOP)
			state = ev.number ? 1 : 0;
		else if (type == POSIX_TRACE_OVERFLOW) {
			wrong += state != 1;
			state = 2;
			pairs++;
			seen = ev;
		} else if (type == POSIX_TRACE_RESUME) {
			wrong += state != 2 ||
				 time_cmp(&ev.info.posix_timestamp,
					  &seen.info.posix_timestamp) < 0;
			state = 3;
			seen = ev;
		} else if (type == POSIX_TRACE_START) {
			wrong += state == 2 ||
				 (state == 3 &&
				  time_cmp(&ev.info.posix_timestamp,
					   &seen.info.posix_timestamp));
			state = state == 3 ? 4 : 5;
		} else if (type == id) {
			untold += ev.word != last + 1 && state != 4;
			wrong += ev.word <= last;
			last = ev.word;
			state = 0;
		}
	}
	posix_trace_close(log);
	diag("%d losses, %lu was the last", pairs, last);
	is_int(lost, pairs > 0, "[xsh_status.13] the status tells a loss");
	is_int(untold, 0, "[xsh_events.7] [xsh_events.9] each is told");
	is_int(wrong, 0, "[xsh_events.8] [xsh_events.10] STOP, OVERFLOW, "
	       "RESUME, START");
}

int main(void)
{
	plan(14);
	id = event_id("an event");
	by_itself();
	by_time();
	lossy();
	return done();
}
