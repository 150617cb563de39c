/* SPDX-License-Identifier: MIT */
/*
 * Two streams with the same file as their log, which cannot work, and a file
 * that is truncated meanwhile: no process crashes, and the result is a log or
 * not a log; the next log in this file is right.
 */
#include "t/lib/logrun.h"
#include "t/lib/tap.h"

#include <errno.h>

static trace_event_id_t id;

static trace_id_t make(int fd, int log_policy)
{
	trace_id_t trid = 0;

	if (posix_trace_create_withlog(0, story_attr(0, 0, 50000, log_policy),
				       fd, &trid))
		return 0;
	return stream_begin(trid);
}

static void record(trace_id_t a, trace_id_t b, int fd)
{
	for (unsigned long i = 0; i < 3000; i++) {
		story_put(id, 0, i);
		if (i % 50 == 0)
			posix_trace_flush(a);
		if (i % 70 == 0 && b)
			posix_trace_flush(b);
		if (i == 1500 && !b && ftruncate(fd, 1000))
			diag("not truncated");
	}
}

/* Three tests. */
static void check(int log_policy, int twice, const char *name)
{
	int fd = file_make(), err;
	trace_id_t a = make(fd, log_policy);
	trace_id_t b = twice ? make(fd, log_policy) : 0;
	struct story story;

	record(a, b, fd);
	posix_trace_shutdown(a);
	if (b)
		posix_trace_shutdown(b);
	err = story_log(fd, id, &story);
	ok(err == 0 || err == EINVAL, "%s: a log, or none: %d, %ld events",
	   name, err, story.users);
	a = make(fd, log_policy);
	for (unsigned long i = 0; i < 100; i++)
		story_put(id, 0, i);
	is_int(posix_trace_shutdown(a), 0, "the next one");
	ok(!story_log(fd, id, &story) && story.users == 100 &&
	   story_gaps(&story) == 0, "[create_withlog.2] has its events only");
	close(fd);
}

int main(void)
{
	plan(18);
	id = event_id("an event");
	check(POSIX_TRACE_LOOP, 1, "LOOP, two streams");
	check(POSIX_TRACE_UNTIL_FULL, 1, "UNTIL_FULL, two streams");
	check(POSIX_TRACE_APPEND, 1, "APPEND, two streams");
	check(POSIX_TRACE_LOOP, 0, "LOOP, truncated");
	check(POSIX_TRACE_UNTIL_FULL, 0, "UNTIL_FULL, truncated");
	check(POSIX_TRACE_APPEND, 0, "APPEND, truncated");
	return done();
}
