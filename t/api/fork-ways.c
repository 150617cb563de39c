/* SPDX-License-Identifier: MIT */
/*
 * fork: however the child comes to be, INHERITED streams have its events, those
 * with CLOSE_FOR_CHILD have not, and names mean the same on both sides.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum how { FORK, RAW_FORK, CLONE, CLONE3, U_FORK, FORK_THREAD, NR_HOWS };

static const char *const names[] = {
	"fork",	      "SYS_fork", "SYS_clone",
	"SYS_clone3", "_Fork",	  "fork in a thread",
};
static trace_id_t inherited, closed;
static trace_event_id_t id;

static int child(void)
{
	char name[64];

	event_put(id, 2);
	/* A name of its own, and its parent's once more. */
	snprintf(name, sizeof(name), "child's %d", (int)getpid());
	event_put(event_id(name), 3);
	return event_id("an event") != id;
}

static void *fork_in_thread(void *arg)
{
	pid_t *pid = arg;

	*pid = fork();
	if (*pid == 0)
		_exit(child());
	return NULL;
}

static pid_t start(enum how how)
{
	unsigned long args[8] = {[4] = SIGCHLD};
	pthread_t thread;
	pid_t pid = -1;

	switch (how) {
	case FORK:
	case NR_HOWS:
		pid = fork();
		break;
	case RAW_FORK:
#ifdef SYS_fork
		pid = (pid_t)syscall(SYS_fork);
		break;
#endif
	case CLONE:
		pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
		break;
	case CLONE3:
		pid = (pid_t)syscall(SYS_clone3, args, 64);
		break;
	case U_FORK:
		pid = _Fork();
		break;
	case FORK_THREAD:
		pthread_create(&thread, NULL, fork_in_thread, &pid);
		pthread_join(thread, NULL);
		return pid;
	}
	if (pid == 0)
		_exit(child());
	return pid;
}

static void check(enum how how)
{
	char want[64], name[TRACE_EVENT_NAME_MAX + 1] = "";
	int result = -1, strangers = 0;
	struct event ev;
	pid_t pid;

	event_put(id, 1);
	fflush(stdout);
	pid = start(how);
	if (pid < 0) {
		skip(7, "no %s", names[how]);
		event_count(inherited, id);
		return;
	}
	waitpid(pid, &result, 0);
	event_put(id, 4);
	is_int(result, 0, "[fork.2] %s: the child has its parent's names",
	       names[how]);
	ok(event_find(inherited, id, &ev) && ev.word == 1,
	   "the parent's event");
	ok(event_find(inherited, id, &ev) && ev.word == 2,
	   "[fork.1] [fork.8] the child's");
	is_int(ev.info.posix_pid, pid, "[event_info.2] under its pid");
	do {
		if (!event_next(inherited, &ev))
			break;
	} while (ev.info.posix_event_id < id);
	posix_trace_eventid_get_name(inherited, ev.info.posix_event_id, name);
	snprintf(want, sizeof(want), "child's %d", (int)pid);
	is_str(name, want, "[fork.10] its own name, for its parent too");
	ok(event_find(inherited, id, &ev) && ev.word == 4 &&
		   ev.info.posix_pid == getpid(),
	   "[fork.7] the parent's last");
	while (event_next(closed, &ev))
		strangers += ev.info.posix_pid == pid;
	is_int(strangers, 0, "[fork.3] [fork.6] none in the other stream");
}

/* Of a child whose own parent has gone before it records. */
static void check_orphan(void)
{
	int pipes[2], result = -1, n = 0;
	pid_t pid, orphan = -1;
	struct event ev;
	char byte;

	pipe(pipes);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		pid = getpid();
		if (fork())
			_exit(0);
		while (getppid() == pid)
			sched_yield();
		event_put(id, 5);
		pid = getpid();
		write(pipes[1], &pid, sizeof(pid));
		_exit(0);
	}
	close(pipes[1]);
	waitpid(pid, &result, 0);
	read(pipes[0], &orphan, sizeof(orphan));
	n = (int)read(pipes[0], &byte, 1);
	is_int(n, 0, "the orphan has ended");
	ok(event_find(inherited, id, &ev) && ev.word == 5 &&
		   ev.info.posix_pid == orphan,
	   "[fork.9] and is in the stream");
	close(pipes[0]);
}

int main(void)
{
	trace_attr_t *attr = stream_attr(0, 0, 0);

	plan(NR_HOWS * 7 + 2);
	id = event_id("an event");
	closed = stream_make(0, attr);
	inherited = stream_make(0, attr_inherit(attr));
	stream_start(closed);
	stream_start(inherited);
	for (enum how how = FORK; how < NR_HOWS; how++)
		check(how);
	check_orphan();
	stream_end(closed);
	stream_end(inherited);
	return done();
}
