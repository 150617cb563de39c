/* SPDX-License-Identifier: MIT */
/*
 * log-max-size: logs with room for less than one event, or for small events
 * but not for the largest ones, are valid, bounded, and tell their policy.
 */
#include "t/lib/logrun.h"
#include "t/lib/tap.h"

#include <string.h>

static trace_event_id_t id;

static trace_id_t make(int fd, size_t max_data, size_t log_size, int log_policy)
{
	trace_attr_t *attr =
		story_attr(4 << 20, POSIX_TRACE_UNTIL_FULL, 0, log_policy);
	trace_id_t trid;
	int err;

	posix_trace_attr_setlogsize(attr, log_size);
	posix_trace_attr_setmaxdatasize(attr, max_data);
	err = posix_trace_create_withlog(0, attr, fd, &trid);
	is_int(err, 0, "[logpolicy.12] a log of %zu bytes", log_size);
	if (err)
		return 0;
	return stream_begin(trid);
}

/* Six tests. */
static void tiny(size_t log_size, int log_policy, const char *name)
{
	int fd = file_make();
	trace_id_t trid = make(fd, 64, log_size, log_policy);
	struct story story;

	for (unsigned long i = 0; i < 1000; i++) {
		story_put(id, 0, i);
		if (i % 100 == 99)
			posix_trace_flush(trid);
	}
	is_int(posix_trace_shutdown(trid), 0, "%s: shutdown", name);
	is_int(story_log(fd, id, &story), 0, "[logpolicy.12] a valid log");
	ok(story.users * LOGRUN_RECORD <= (long)log_size &&
	   file_size(fd) <= (long)log_size + LOGRUN_OVERHEAD,
	   "[logpolicy.9] bounded: %ld events, %ld bytes", story.users,
	   file_size(fd));
	is_int(story.status.posix_log_full_status, POSIX_TRACE_FULL,
	       "[xsh_status.22] full");
	ok(log_policy == POSIX_TRACE_LOOP ||
	   (story.last.info.posix_event_id == POSIX_TRACE_STOP &&
	    story.last.number != 0),
	   "[logpolicy.5] UNTIL_FULL: STOP is the last");
	close(fd);
}

/* Events of 100 KB for a log of 64 KiB, between small ones. */
static void large(int log_policy, const char *name)
{
	static unsigned char data[100000];
	trace_event_id_t big = event_id("a large one");
	int fd = file_make(), bigs = 0;
	trace_id_t trid = make(fd, sizeof(data), 65536, log_policy), log;
	struct story story;
	struct event ev;

	for (unsigned long i = 0; i < 500; i++) {
		story_put(id, 0, i);
		if (i == 100)
			posix_trace_event(big, data, sizeof(data));
	}
	is_int(posix_trace_flush(trid), 0, "%s: flush", name);
	is_int(posix_trace_shutdown(trid), 0, "%s: shutdown", name);
	is_int(story_log(fd, id, &story), 0, "[logpolicy.12] a valid log");
	log = log_open(fd);
	while (event_next(log, &ev))
		bigs += ev.info.posix_event_id == big;
	posix_trace_close(log);
	is_int(bigs, 0, "[logpolicy.9] without the one that is too large");
	is_int(story.status.posix_log_overrun_status, POSIX_TRACE_OVERRUN,
	       "[xsh_status.21] overrun");
	if (log_policy == POSIX_TRACE_LOOP)
		ok(story.writer[0].nr > 0 && story.writer[0].last == 499,
		   "[logpolicy.2] the newest are there");
	else
		ok(story.writer[0].first == 0 && story.writer[0].gaps == 0 &&
		   story.writer[0].last <= 100 &&
		   story.last.info.posix_event_id == POSIX_TRACE_STOP &&
		   story.last.number != 0,
		   "[logpolicy.3] those before it, then STOP");
	close(fd);
}

int main(void)
{
	plan(50);
	id = event_id("an event");
	tiny(0, POSIX_TRACE_LOOP, "LOOP, 0");
	tiny(1, POSIX_TRACE_LOOP, "LOOP, 1");
	tiny(64, POSIX_TRACE_LOOP, "LOOP, 64");
	tiny(0, POSIX_TRACE_UNTIL_FULL, "UNTIL_FULL, 0");
	tiny(1, POSIX_TRACE_UNTIL_FULL, "UNTIL_FULL, 1");
	tiny(64, POSIX_TRACE_UNTIL_FULL, "UNTIL_FULL, 64");
	large(POSIX_TRACE_LOOP, "LOOP");
	large(POSIX_TRACE_UNTIL_FULL, "UNTIL_FULL");
	return done();
}
