/* SPDX-License-Identifier: MIT */
/*
 * Under a storm of signals each function of the controller returns 0, or EINTR
 * with nothing changed; handlers run, and a log made meanwhile is whole.
 */
#include "t/lib/proc.h"
#include "t/lib/story.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

#define ROUNDS 3000

static _Atomic int signals;
static int bad[8], interrupted;

static void count(int sig)
{
	(void)sig;
	signals++;
}

/* Notes the result of function n; true if it was done. */
static int noted(int n, int err)
{
	interrupted += err == EINTR;
	bad[n] += err != 0 && err != EINTR;
	return err == 0;
}

static int running(trace_id_t trid)
{
	return status_of(trid).posix_stream_status == POSIX_TRACE_RUNNING;
}

static int is_filter(trace_id_t trid, const trace_event_set_t *want)
{
	trace_event_set_t got;
	int err;

	do
		err = posix_trace_get_filter(trid, &got);
	while (err == EINTR);
	return !err && !memcmp(&got, want, sizeof(got));
}

static void storm(int on)
{
	struct itimerval often = { { 0, 53 * on }, { 0, 53 * on } };

	setitimer(ITIMER_REAL, &often, NULL);
}

int main(void)
{
	trace_event_id_t id = event_id("an event");
	trace_event_set_t set[2], filter, got;
	int fd = file_make(), wrong_filter = 0, wrong_state = 0, created = 0;
	unsigned long next = 0;
	trace_id_t trid, other;
	struct story story;
	struct sigaction sa = { .sa_handler = count };

	plan(10);
	trid = stream_make_log(0, stream_attr(1 << 20, 64, 0), fd);
	stream_only_user(trid);
	posix_trace_get_filter(trid, &set[0]);
	set[1] = filter = set[0];
	posix_trace_eventset_add(POSIX_TRACE_UNNAMED_USEREVENT, &set[1]);
	/* SIGALRM is no deadline meanwhile; nothing in here waits. */
	sigaction(SIGALRM, &sa, NULL);
	storm(1);
	for (int i = 0; i < ROUNDS; i++) {
		int was = running(trid);

		if (noted(0, posix_trace_start(trid)))
			was = 1;
		wrong_state += running(trid) != was;
		story_put(id, 0, next++);
		if (noted(1, posix_trace_set_filter(trid, &set[i % 2],
						    POSIX_TRACE_SET_EVENTSET)))
			filter = set[i % 2];
		wrong_filter += !is_filter(trid, &filter);
		if (i % 16 == 0) {
			noted(2, posix_trace_flush(trid));
			if (noted(3, posix_trace_stop(trid)))
				was = 0;
			wrong_state += running(trid) != was;
		}
		if (i % 64 == 0 &&
		    noted(4, posix_trace_create(0, stream_attr(1000, 8, 0),
						&other))) {
			created++;
			noted(5, posix_trace_shutdown(other));
		}
		noted(6, posix_trace_get_filter(trid, &got));
	}
	storm(0);
	proc_deadline(30);
	diag("%d signals, %d times EINTR", (int)signals, interrupted);
	ok(signals > 0, "signals came");
	is_int(bad[0] + bad[3], 0, "[start.6] [stop.7] start, stop");
	is_int(wrong_state, 0, "[start.6] [stop.7] state as they said");
	is_int(bad[1] + bad[6], 0, "[get_filter.4] set_filter, get_filter");
	is_int(wrong_filter, 0, "[set_filter.8] the filter is as it said");
	is_int(bad[2], 0, "[flush.1] flush");
	is_int(bad[4] + bad[5], 0, "[create.16] create");
	ok(created > 0, "[create.16] %d streams were made", created);
	is_int(posix_trace_shutdown(trid), 0, "[shutdown.7] shutdown");
	story_log(fd, id, &story);
	ok(story.users == (long)next && story_gaps(&story) == 0 &&
	   story.flushes_nest == 0, "[shutdown.7] the log has all events");
	return done();
}
