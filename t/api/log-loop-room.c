/* SPDX-License-Identifier: MIT */
/*
 * log-full-policy POSIX_TRACE_LOOP: there is no room in the file system for
 * what is written when the log first loses events.  When there is, the loss is
 * told all the same, and the log is whole.
 */
#include "t/lib/logrun.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>
#include <sys/resource.h>

#define LOG_SIZE (1 << 16)
#define NR 8000UL

static trace_event_id_t id;

static void limit(rlim_t size)
{
	struct rlimit rl = { size, RLIM_INFINITY };

	setrlimit(RLIMIT_FSIZE, &rl);
}

/* Six tests. */
static void check(rlim_t beyond)
{
	trace_attr_t *attr = story_attr(1 << 20, POSIX_TRACE_UNTIL_FULL,
					LOG_SIZE, POSIX_TRACE_LOOP);
	int fd = file_make(), told = 0;
	unsigned long i = 0;
	struct posix_trace_info_np info;
	struct story story;
	trace_id_t trid = 0;

	posix_trace_create_withlog(0, attr, fd, &trid);
	stream_only_user(trid);
	stream_start(trid);
	limit(LOG_SIZE + beyond);
	for (; i < NR && !told; i++) {
		story_put(id, 0, i);
		if (i % 50 == 0)
			told = posix_trace_flush(trid) == EFBIG;
	}
	ok(told, "[flush.10] at %lu + %lu bytes the error is told",
	   (unsigned long)LOG_SIZE, (unsigned long)beyond);
	/* A name, too, has to wait. */
	event_id("a name of then");
	posix_trace_flush(trid);
	limit(RLIM_INFINITY);
	for (unsigned long end = i + 1000; i < end; i++) {
		story_put(id, 0, i);
		if (i % 50 == 0)
			posix_trace_flush(trid);
	}
	is_int(posix_trace_shutdown(trid), 0, "[shutdown.11] shutdown");
	is_int(story_log(fd, id, &story), 0, "a log");
	is_int(story.first.info.posix_event_id, POSIX_TRACE_OVERFLOW,
	       "[xsh_events.7] OVERFLOW is the first");
	ok(story.writer[0].last == i - 1 && story_gaps(&story) == 0,
	   "[logpolicy.2] the newest are there, %lu to %lu",
	   story.writer[0].first, story.writer[0].last);
	trid = log_open(fd);
	posix_trace_get_info_np(trid, &info);
	is_int((long long)info.bad_size, 0, "nothing in it is damaged");
	posix_trace_close(trid);
	close(fd);
}

int main(void)
{
	plan(18);
	id = event_id("an event");
	signal(SIGXFSZ, SIG_DFL);
	/* Before, inside, and at the end of the first packet behind the ring,
	 * which begins at the log's size and its head. */
	check(624);
	check(640);
	check(720);
	return done();
}
