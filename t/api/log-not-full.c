/* SPDX-License-Identifier: MIT */
/*
 * Logs of policy LOOP and UNTIL_FULL that are not full, of ordinary and of
 * absurd log-max-size: they are as those of APPEND, and no larger.
 */
#include "t/lib/logrun.h"
#include "t/lib/tap.h"

#include <stdint.h>
#include <sys/stat.h>

static long blocks(int fd)
{
	struct stat st;

	return fstat(fd, &st) ? -1 : (long)st.st_blocks * 512;
}

/* Seven tests. */
static void check(trace_event_id_t id, size_t log_size, int log_policy,
		  const char *name)
{
	trace_attr_t *attr = story_attr(0, 0, log_size, log_policy), got;
	int fd = file_make();
	trace_id_t trid = 0;
	struct story story;
	size_t size = 0;

	is_int(posix_trace_create_withlog(0, attr, fd, &trid), 0,
	       "[logpolicy.11] log %s of %zu", name, log_size);
	stream_begin(trid);
	for (unsigned long i = 0; i < 1000; i++) {
		story_put(id, 0, i);
		if (i % 100 == 0)
			posix_trace_flush(trid);
	}
	is_int(posix_trace_shutdown(trid), 0, "shutdown");
	story_log(fd, id, &story);
	ok(story.users == 1000 && story_gaps(&story) == 0 &&
	   story_disorder(&story) == 0 && story.outside == 0,
	   "[logpolicy.2] [logpolicy.3] it has all events: %ld", story.users);
	ok(story.first.info.posix_event_id == POSIX_TRACE_START &&
	   story.last.info.posix_event_id == POSIX_TRACE_STOP &&
	   story.last.number == 0 && story.system[POSIX_TRACE_OVERFLOW] == 0,
	   "[xsh_events.4] from START to a STOP that was asked for");
	ok(story.status.posix_log_full_status == POSIX_TRACE_NOT_FULL &&
	   story.status.posix_log_overrun_status == POSIX_TRACE_NO_OVERRUN,
	   "[xsh_status.22] not full, no overrun");
	ok(blocks(fd) < 200000, "[logpolicy.9] it takes %ld bytes",
	   blocks(fd));
	{
		trace_id_t log = log_open(fd);

		posix_trace_get_attr(log, &got);
		posix_trace_attr_getlogsize(&got, &size);
		ok(size == log_size, "[shutdown.8] log-max-size as it was set");
		posix_trace_close(log);
	}
	close(fd);
}

int main(void)
{
	static const size_t sizes[] = { 100000, (size_t)1 << 32,
					(size_t)1 << 48, SIZE_MAX / 2,
					SIZE_MAX };
	trace_event_id_t id;

	plan(70);
	posix_trace_eventid_open("an event", &id);
	for (int i = 0; i < 5; i++) {
		check(id, sizes[i], POSIX_TRACE_LOOP, "LOOP");
		check(id, sizes[i], POSIX_TRACE_UNTIL_FULL, "UNTIL_FULL");
	}
	return done();
}
