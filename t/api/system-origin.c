/* SPDX-License-Identifier: MIT */
/*
 * XSH 2.11.1: a system event that the program caused by calling a service has
 * the address of that call; one that no thread generated has no thread.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

static NOINLINE int execs(struct proc *self, void *arg)
{
	(void)self;
	(void)arg;
	execlp("true", "true", (char *)NULL);
	__asm__ volatile("");
	return 1;
}

static int sleeper(struct proc *self, void *arg)
{
	(void)arg;
	proc_turn(self);
	return 0;
}

int main(void)
{
	trace_id_t trid;
	struct event ev;
	struct proc p;

	no_sanitizer(); /* which must be loaded first in what is started */
	plan(5);
	trid = stream_make(0, attr_inherit(stream_attr(0, 0, 0)));
	stream_start(trid);
	proc_start(&p, execs, NULL);
	is_int(proc_wait(&p), 0, "a child ends by exec");
	ok(event_find_name(trid, "process:exec", &ev), "that is told");
	ok(called_in(&ev, (size_t)execs),
	   "[xsh_2_11_1_info.5] has the address of the call");

	proc_start(&p, sleeper, NULL);
	proc_await(&p);
	proc_kill(&p, SIGKILL);
	while (event_find_name(trid, "process:exit", &ev) &&
	       ev.info.posix_pid != p.pid)
		;
	is_int(ev.info.posix_pid, p.pid, "a killed child's end is told");
	ok(!ev.info.posix_thread_id,
	   "[xsh_2_11_1_info.12] nobody of it told of it");
	stream_end(trid);
	return done();
}
