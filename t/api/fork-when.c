/* SPDX-License-Identifier: MIT */
/*
 * fork: a child is traced if its parent was when it forked: also before the
 * stream is started; not if the stream was created later, or for another.  One
 * that is stopped by a signal can be given a stream.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <sys/wait.h>

static trace_event_id_t id;

static int record(struct proc *self, void *arg)
{
	proc_turn(self);
	event_put(id, *(unsigned long *)arg);
	return 0;
}

/* Traced itself; its child, too. */
static int middle(struct proc *self, void *arg)
{
	struct proc p;

	(void)arg;
	proc_turn(self);
	event_put(id, 3);
	proc_start(&p, record, &(unsigned long){4});
	proc_tell(&p);
	return proc_wait(&p);
}

static trace_id_t make(pid_t pid)
{
	return stream_make(pid, attr_inherit(stream_attr(0, 0, 0)));
}

/* Their sum as digits. */
static int sum(trace_id_t trid)
{
	struct event ev;
	int n = 0;

	while (event_find(trid, id, &ev))
		n = n * 10 + (int)ev.word;
	stream_end(trid);
	return n;
}

static void check_stopped(void)
{
	struct proc p;
	trace_id_t trid;
	int status;

	proc_start(&p, record, &(unsigned long){5});
	kill(p.pid, SIGSTOP);
	waitpid(p.pid, &status, WUNTRACED);
	trid = stream_make(p.pid, NULL);
	stream_start(trid);
	kill(p.pid, SIGCONT);
	proc_tell(&p);
	proc_wait(&p);
	is_int(sum(trid), 5, "[event.1] one that was stopped meanwhile");
}

int main(void)
{
	struct proc before, during, p;
	trace_id_t trid;

	plan(3);
	id = event_id("an event");
	proc_start(&before, record, &(unsigned long){1});
	proc_await(&before);
	trid = make(0);
	proc_start(&during, record, &(unsigned long){2});
	stream_start(trid);
	proc_tell(&before);
	proc_wait(&before);
	proc_tell(&during);
	proc_wait(&during);
	is_int(sum(trid), 2, "[fork.1] forked after create, before start");
	proc_start(&p, middle, NULL);
	proc_await(&p);
	trid = make(p.pid);
	stream_start(trid);
	event_put(id, 9);
	proc_tell(&p);
	proc_wait(&p);
	is_int(sum(trid), 34, "[fork.9] a child's child, but not its parent");
	check_stopped();
	return done();
}
