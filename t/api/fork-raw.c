/* SPDX-License-Identifier: MIT */
/*
 * fork: a child made by the system call itself is traced as its own process
 * too, harms nothing of its parent's, and can make streams of its own.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static trace_event_id_t id;
static trace_id_t trid, other;

static pid_t raw_fork(int how)
{
#ifdef SYS_fork
	if (how == 0)
		return (pid_t)syscall(SYS_fork);
#endif
	return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

static int own_stream(void)
{
	trace_id_t own;
	int n;

	if (posix_trace_stop(trid) != EINVAL ||
	    posix_trace_create(0, NULL, &own))
		return 1;
	stream_start(own);
	event_put(id, 1000);
	n = event_count(own, id);
	stream_end(own);
	return n == 1 ? 0 : 2;
}

static int run(int how, int own)
{
	pid_t pid = raw_fork(how);
	int status = -1;

	if (pid == 0) {
		if (own)
			_exit(own_stream());
		for (unsigned long i = 0; i < 100; i++)
			event_put(id, i);
		_exit(0);
	}
	/* At the same time. */
	for (unsigned long i = 0; i < 100; i++)
		event_put(id, i);
	waitpid(pid, &status, 0);
	return status ? -1 : (int)pid;
}

int main(void)
{
	trace_attr_t *attr = stream_attr(0, 0, 0);
	unsigned long parents = 0, of_child = 0;
	struct event ev;
	int order = 0, strangers = 0;
	pid_t pid;

	plan(14);
	id = event_id("an event");
	other = stream_make(0, attr);
	trid = stream_make(0, attr_inherit(attr));
	stream_start(trid);
	stream_start(other);
	for (int how = 0; how < 2; how++) {
		pid = run(how, 0);
		ok(pid > 0, "the child is content");
		parents = of_child = 0;
		while (event_find(trid, id, &ev)) {
			if (ev.info.posix_pid == getpid())
				order += ev.word != parents++;
			else if (ev.info.posix_pid == pid)
				order += ev.word != of_child++;
			else
				strangers++;
		}
		is_int((long long)parents, 100, "the parent's events");
		is_int((long long)of_child, 100, "the child's events");
		is_int(order, 0, "in order");
		is_int(strangers, 0, "nobody else's");
		while (event_find(other, id, &ev))
			strangers += ev.info.posix_pid != getpid();
		is_int(strangers, 0, "the parent's alone in the other stream");
		ok(run(how, 1) > 0, "a child with a stream of its own");
		event_count(trid, id);
	}
	stream_end(trid);
	stream_end(other);
	return done();
}
