/* SPDX-License-Identifier: MIT */
/*
 * A fork child that runs for the first time when its parent has ended, and the
 * parent's place in the registry is another process's, as that of a daemon: it
 * records in its parent's stream, and not in the other's.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* More than there are places free: 32 at first, then twice as many. */
#define MAX_OTHERS 90
static const int nr_others[] = {40, MAX_OTHERS};

static trace_event_id_t id;

static trace_id_t make(pid_t pid)
{
	trace_id_t trid = stream_make(pid, attr_inherit(stream_attr(0, 0, 0)));

	stream_start(trid);
	return trid;
}

/* Its child records; raw: by the system call itself. */
static int parent(struct proc *self, void *arg)
{
	pid_t pid;

	proc_turn(self);
	event_put(id, 1);
	pid = arg ? (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) : fork();
	if (pid == 0)
		event_put(id, 4711);
	_exit(0);
}

static int other(struct proc *self, void *arg)
{
	(void)arg;
	proc_turn(self);
	return 0;
}

/* How often the child's event is in a stream, which ends. */
static int find(trace_id_t trid)
{
	struct event ev;
	int n = 0;

	while (event_next(trid, &ev))
		n += ev.info.posix_event_id == id && ev.word == 4711;
	stream_end(trid);
	return n;
}

/* Continues the parent until it has forked; its child is held. */
static pid_t hold_child(struct proc *p)
{
	unsigned long child = 0;
	int status;

	if (ptrace(PTRACE_SEIZE, p->pid, 0,
		   PTRACE_O_TRACEFORK | PTRACE_O_TRACECLONE) != 0)
		skip_all("no ptrace(2)");
	proc_tell(p);
	waitpid(p->pid, &status, 0);
	ptrace(PTRACE_GETEVENTMSG, p->pid, 0, &child);
	waitpid((pid_t)child, &status, __WALL);
	ptrace(PTRACE_DETACH, p->pid, 0, 0);
	return (pid_t)child;
}

static void test(int raw, const char *what)
{
	struct proc p, others[MAX_OTHERS];
	trace_id_t its, another;
	pid_t child;

	proc_start(&p, parent, raw ? &raw : NULL);
	proc_await(&p);
	its = make(p.pid);
	child = hold_child(&p);
	proc_wait(&p);
	another = make(0);
	for (int i = 0; i < nr_others[raw]; i++) {
		proc_start(&others[i], other, NULL);
		proc_await(&others[i]);
	}
	ptrace(PTRACE_DETACH, child, 0, 0);
	waitpid(child, NULL, __WALL);
	for (int i = 0; i < nr_others[raw]; i++) {
		proc_tell(&others[i]);
		proc_wait(&others[i]);
	}
	is_int(find(its), 1, "%s: it is in its parent's stream", what);
	is_int(find(another), 0, "%s: and not in the other's", what);
}

int main(int argc, char **argv)
{
	(void)argc;
	no_sanitizer();
	private_shm(argv);
	if (under_valgrind())
		skip_all("valgrind is no place for ptrace(2)");
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	id = event_id("an event");
	plan(4);
	test(0, "fork");
	test(1, "a fork that nobody has seen");
	return done();
}
