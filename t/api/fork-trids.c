/* SPDX-License-Identifier: MIT */
/*
 * fork: in the child every function says EINVAL to the parent's trids, and the
 * parent's streams and logs are as they were.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"
#include "t/lib/trid.h"

#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static trace_id_t live, logged;
static trace_event_id_t id;

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
		_exit(trid_taken(live) + trid_taken(logged));
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
	live = stream_make(0, attr_inherit(attr));
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
