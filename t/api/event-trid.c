/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_trid_event_np: a controller records an event of its own in a
 * stream that does not trace it, in its own name, if the stream runs and does
 * not filter the type.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

static void wait_for_end(int go)
{
	char byte;

	while (read(go, &byte, 1) > 0)
		;
}

static void check(trace_id_t trid)
{
	trace_event_id_t id, other;
	trace_event_set_t set;
	struct event ev;

	posix_trace_trid_eventid_open(trid, "mark", &id);
	posix_trace_trid_eventid_open(trid, "other", &other);
	is_int(posix_trace_trid_event_np(trid, id, "x", 1), EAGAIN,
	       "not before START");
	posix_trace_eventset_empty(&set);
	posix_trace_eventset_add(other, &set);
	posix_trace_set_filter(trid, &set, POSIX_TRACE_ADD_EVENTSET);
	stream_start(trid);
	is_int(posix_trace_trid_event_np(trid, id, "here", 4), 0, "recorded");
	is_int(posix_trace_trid_event_np(trid, other, "x", 1), 0, "filtered");
	is_int(posix_trace_trid_event_np(trid, POSIX_TRACE_UNNAMED_USEREVENT,
					 NULL, 0),
	       0, "one without a name");
	is_int(posix_trace_trid_event_np(trid, POSIX_TRACE_STOP, "x", 1),
	       EINVAL, "not the system's");
	is_int(posix_trace_trid_event_np(trid, 1U << 31, "x", 1), EINVAL,
	       "no type");
	is_int(posix_trace_trid_event_np(trid, id, NULL, 1), EINVAL, "no data");
	is_int(posix_trace_trid_event_np(0, id, "x", 1), EINVAL, "no stream");
	stream_stop(trid);
	is_int(posix_trace_trid_event_np(trid, id, "x", 1), EAGAIN,
	       "not after STOP");
	ok(event_find(trid, id, &ev) && ev.size == 4 &&
		   memcmp(ev.data, "here", 4) == 0 &&
		   ev.info.posix_pid == getpid() &&
		   ev.info.posix_prog_address != NULL,
	   "with its data, in the name of the caller");
	ok(event_next(trid, &ev) &&
		   ev.info.posix_event_id == POSIX_TRACE_UNNAMED_USEREVENT,
	   "then the one without a name");
	is_int((int)event_last(trid), POSIX_TRACE_STOP, "then STOP");
}

int main(void)
{
	trace_id_t trid;
	int go[2];
	pid_t pid;

	plan(12);
	if (pipe(go) != 0)
		return 1;
	pid = fork();
	if (pid == 0) {
		close(go[1]);
		wait_for_end(go[0]);
		_exit(0);
	}
	trid = stream_make(pid, NULL);
	stream_only_user(trid);
	check(trid);
	posix_trace_shutdown(trid);
	close(go[1]);
	waitpid(pid, NULL, 0);
	return done();
}
