/* SPDX-License-Identifier: MIT */
/*
 * A process without a free descriptor reaps a child that was killed: how it
 * died is told all the same.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int child(struct proc *self, void *arg)
{
	(void)arg;
	event_put(event_id("an event"), 1);
	proc_turn(self);
	return 0;
}

static void limit_files(rlim_t nr)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = nr ? limit.rlim_max : 0;
	setrlimit(RLIMIT_NOFILE, &limit);
}

int main(int argc, char **argv)
{
	trace_attr_t *attr = attr_inherit(stream_attr(0, 0, 0));
	trace_id_t trid, other;
	struct event ev;
	struct proc p;

	(void)argc;
	no_sanitizer();
	private_shm(argv);
	plan(4);
	trid = stream_make(0, attr);
	stream_start(trid);
	proc_start(&p, child, NULL);
	ok(proc_await(&p), "a child");
	limit_files(0);
	is_int(proc_kill(&p, SIGKILL), 128 + SIGKILL, "was killed");
	limit_files(1);
	/* Who looks after all that there are finds it; not the first time. */
	for (int i = 0; i < 2; i++) {
		other = stream_make(0, NULL);
		stream_end(other);
	}
	ok(event_find_name(trid, "process:exit", &ev), "its end is told");
	is_int(ev.number, SIGKILL, "and the signal");
	stream_end(trid);
	return done();
}
