/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_flush: the file system has room for the events of a full stream,
 * but not for the events that say that it was full.  When there is more room
 * they are written, once.
 */
#include "t/lib/logrun.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

/* Less than the smallest mark takes. */
#define STEP 64

static trace_event_id_t id;

static void limit(rlim_t size)
{
	struct rlimit rl = { size, RLIM_INFINITY };

	setrlimit(RLIMIT_FSIZE, &rl);
}

/* Records until some are lost. */
static unsigned long fill(trace_id_t trid)
{
	struct posix_trace_info_np info;
	unsigned long i = 0;

	do {
		for (int n = 0; n < 100; n++)
			story_put(id, 0, i++);
		posix_trace_get_info_np(trid, &info);
	} while (info.lost == 0);
	return i;
}

/* The flush's own marks would take the room. */
static void no_flush_marks(trace_id_t trid)
{
	trace_event_set_t set;

	posix_trace_eventset_empty(&set);
	posix_trace_eventset_add(POSIX_TRACE_FLUSH_START, &set);
	posix_trace_eventset_add(POSIX_TRACE_FLUSH_STOP, &set);
	posix_trace_set_filter(trid, &set, POSIX_TRACE_ADD_EVENTSET);
}

/* Gives the log a little more room each time.  Returns how often the events
 * were in it and something else was not. */
static int flush_by_steps(trace_id_t trid, int fd)
{
	rlim_t size = (rlim_t)file_size(fd);
	int err, failed_late = 0;

	do {
		struct posix_trace_info_np info;

		limit(size += STEP);
		err = posix_trace_flush(trid);
		posix_trace_get_info_np(trid, &info);
		failed_late += err == EFBIG && info.events > 100;
	} while (err == EFBIG);
	limit(RLIM_INFINITY);
	is_int(err, 0, "[flush.10] no other error");
	return failed_late;
}

int main(void)
{
	trace_attr_t *attr;
	int fd = file_make();
	trace_id_t trid = 0;
	struct story story;
	unsigned long nr;

	plan(7);
	signal(SIGXFSZ, SIG_DFL);
	id = event_id("an event");
	attr = story_attr(16384, POSIX_TRACE_UNTIL_FULL, 0, POSIX_TRACE_APPEND);
	posix_trace_create_withlog(0, attr, fd, &trid);
	stream_only_user(trid);
	no_flush_marks(trid);
	stream_start(trid);
	nr = fill(trid);
	ok(flush_by_steps(trid, fd) > 1, "[flush.10] room for events alone");
	story_put(id, 0, nr);
	is_int(posix_trace_shutdown(trid), 0, "[shutdown.1]");
	is_int(story_log(fd, id, &story), 0, "[shutdown.11] a log");
	is_int(story.system[POSIX_TRACE_OVERFLOW], 1, "[xsh_events.7] told");
	is_int(story.system[POSIX_TRACE_RESUME], 1, "[xsh_events.10] once");
	is_int((long)story.writer[0].last, (long)nr, "and it went on");
	close(fd);
	return done();
}
