/* SPDX-License-Identifier: MIT */
/*
 * fork: in the child every function says EINVAL to the parent's trids, and the
 * parent's streams and logs are as they were.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

static trace_id_t live, logged;
static trace_event_id_t id;

/* The number of functions that say anything else. */
static int wrong(trace_id_t trid)
{
	struct timespec late = {.tv_sec = time(NULL) + 25};
	struct posix_trace_status_info status;
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_event_id_t other;
	trace_event_set_t set;
	trace_attr_t attr;
	struct event ev;
	int none, n = 0;

	posix_trace_eventset_empty(&set);
	n += posix_trace_start(trid) != EINVAL;
	n += posix_trace_stop(trid) != EINVAL;
	n += posix_trace_clear(trid) != EINVAL;
	n += posix_trace_flush(trid) != EINVAL;
	n += posix_trace_get_attr(trid, &attr) != EINVAL;
	n += posix_trace_get_status(trid, &status) != EINVAL;
	n += posix_trace_get_filter(trid, &set) != EINVAL;
	n += posix_trace_set_filter(trid, &set, POSIX_TRACE_SET_EVENTSET) !=
	     EINVAL;
	n += posix_trace_trid_eventid_open(trid, "x", &other) != EINVAL;
	n += posix_trace_eventid_get_name(trid, id, name) != EINVAL;
	n += posix_trace_eventtypelist_getnext_id(trid, &other, &none) !=
	     EINVAL;
	n += posix_trace_eventtypelist_rewind(trid) != EINVAL;
	n += posix_trace_getnext_event(trid, &ev.info, ev.data, 8, &ev.size,
				       &none) != EINVAL;
	n += posix_trace_trygetnext_event(trid, &ev.info, ev.data, 8, &ev.size,
					  &none) != EINVAL;
	n += posix_trace_timedgetnext_event(trid, &ev.info, ev.data, 8,
					    &ev.size, &none, &late) != EINVAL;
	n += posix_trace_rewind(trid) != EINVAL;
	n += posix_trace_close(trid) != EINVAL;
	n += posix_trace_shutdown(trid) != EINVAL;
	return n;
}

static pid_t fork_how(int how)
{
	switch (how) {
	case 0:
		return fork();
	case 1:
		return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	default:
		return _Fork();
	}
}

static void check(int how, const char *what)
{
	int result = -1;
	pid_t pid;

	fflush(stdout);
	pid = fork_how(how);
	if (pid == 0)
		_exit(wrong(live) + wrong(logged));
	waitpid(pid, &result, 0);
	is_int(result, 0, "[fork.4] [fork.5] %s", what);
}

int main(void)
{
	struct posix_trace_status_info status;
	trace_attr_t *attr = stream_attr(0, 0, 0);
	int fd = file_make();

	plan(8);
	id = event_id("an event");
	posix_trace_attr_setinherited(attr, POSIX_TRACE_INHERITED);
	live = stream_make(0, attr);
	logged = stream_make_log(0, attr, fd);
	stream_start(live);
	stream_start(logged);
	event_put(id, 1);
	check(0, "fork");
	check(1, "the system call");
	check(2, "_Fork");
	posix_trace_get_status(live, &status);
	is_int(status.posix_stream_status, POSIX_TRACE_RUNNING,
	       "[fork.7] the stream runs");
	posix_trace_get_status(logged, &status);
	is_int(status.posix_stream_status, POSIX_TRACE_RUNNING,
	       "[fork.7] so does that with a log");
	event_put(id, 2);
	is_int(event_count(live, id), 2, "[fork.7] with all events");
	stream_end(live);
	is_int(posix_trace_shutdown(logged), 0, "[fork.7] shutdown");
	is_int(log_count(fd, "an event"), 2, "[fork.7] as does the log");
	return done();
}
