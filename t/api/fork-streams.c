/* SPDX-License-Identifier: MIT */
/*
 * A stream that is created when fork() has returned does not trace the child,
 * even if that has not run yet; one that was there does, and one for all
 * processes.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static trace_event_id_t id;
/* Events of the child in streams of before and afterwards. */
static int found[2];

static trace_id_t make(pid_t pid)
{
	trace_attr_t *attr = stream_attr(0, 0, 0);
	trace_id_t trid;

	posix_trace_attr_setinherited(attr, POSIX_TRACE_INHERITED);
	trid = stream_make(pid, attr);
	stream_start(trid);
	return trid;
}

/* Events of the child in a stream, and those that tell of it. */
static int events_of(trace_id_t trid, pid_t child)
{
	struct event ev;
	int nr = 0;

	while (event_next(trid, &ev))
		nr += ev.info.posix_pid == child ||
		      (ev.info.posix_event_id >= 16 &&
		       ev.info.posix_event_id < 256 && ev.number == child);
	stream_end(trid);
	return nr;
}

/* The traced one: its child is held by our tracer until it is told. */
static int forker(struct proc *p, void *arg)
{
	trace_id_t before = make(0), after;
	int status = 0;
	pid_t child;

	(void)arg;
	if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0)
		return 77;
	raise(SIGSTOP);
	child = fork();
	if (child == 0) {
		event_put(id, 1);
		_exit(0);
	}
	after = make(0);
	proc_tell(p);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	found[0] = events_of(before, child);
	found[1] = events_of(after, child);
	proc_send(p, found, sizeof(found));
	return status != 0;
}

/* Holds the child until its parent has come to proc_tell().  Returns its events
 * in a stream of then for all. */
static int trace(struct proc *p)
{
	unsigned long child = 0;
	trace_id_t trid;
	int status;

	waitpid(p->pid, &status, 0);
	if (!WIFSTOPPED(status))
		skip_all("no ptrace(2)");
	plan(6);
	ptrace(PTRACE_SETOPTIONS, p->pid, 0, PTRACE_O_TRACEFORK);
	ptrace(PTRACE_CONT, p->pid, 0, 0);
	waitpid(p->pid, &status, 0);
	is_int(status >> 8, SIGTRAP | PTRACE_EVENT_FORK << 8, "it forks");
	ptrace(PTRACE_GETEVENTMSG, p->pid, 0, &child);
	ptrace(PTRACE_DETACH, p->pid, 0, 0);
	ok(proc_await(p), "its parent has a new stream, the child is held");
	trid = make(POSIX_TRACE_ALLPROC);
	waitpid((pid_t)child, &status, __WALL);
	ptrace(PTRACE_DETACH, (pid_t)child, 0, 0);
	proc_receive(p, found, sizeof(found));
	return events_of(trid, (pid_t)child);
}

int main(int argc, char **argv)
{
	struct proc p;
	int all;

	(void)argc;
	no_sanitizer();
	private_shm(argv);
	if (under_valgrind())
		skip_all("valgrind makes a stop of its own");
	id = event_id("an event");
	proc_start(&p, forker, NULL);
	all = trace(&p);
	ok(found[0] > 1, "a stream of before has the child: %d events", found[0]);
	is_int(found[1], 0, "a stream of afterwards has not");
	ok(all > 1, "one for all processes has: %d events", all);
	is_int(proc_wait(&p), 0, "all ended well");
	return done();
}
