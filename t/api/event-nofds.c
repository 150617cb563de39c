/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event: is recorded also if the process has no descriptor left,
 * since before its first event; and in its children.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define NR 100

int main(void)
{
	struct rlimit few = {64, 64};
	int own = 0, of_child = 0, nr_fds = 0, fds[64], first = dup(0);
	trace_event_id_t id;
	trace_id_t trid;
	struct event ev;
	pid_t pid;

	plan(3);
	id = event_id("an event");
	trid = stream_make(0, attr_inherit(stream_attr(0, 0, 0)));
	stream_start(trid);
	setrlimit(RLIMIT_NOFILE, &few);
	while (nr_fds < 64 && (fds[nr_fds] = dup(first)) >= 0)
		nr_fds++;
	for (unsigned long i = 0; i < NR; i++)
		event_put(id, i);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		for (unsigned long i = 0; i < NR; i++)
			event_put(id, i);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	while (nr_fds)
		close(fds[--nr_fds]);
	while (event_find(trid, id, &ev)) {
		own += ev.info.posix_pid == getpid();
		of_child += ev.info.posix_pid == pid;
	}
	is_int(own, NR, "[event.1] its events");
	is_int(of_child, NR, "[event.1] [fork.1] its child's");
	is_int(posix_trace_shutdown(trid), 0, "shutdown");
	return done();
}
