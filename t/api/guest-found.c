/* SPDX-License-Identifier: MIT */
/*
 * A process that became another user's is not told as ended while it lives,
 * though a process of another pid namespace, which knew no better, said so and
 * left the rest to others.  Runs only as root.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <grp.h>
#include <unistd.h>

#define USER 65534

static trace_event_id_t id;

static int become(struct proc *self, void *arg)
{
	(void)arg;
	if (setgroups(0, NULL) || setresgid(USER, USER, USER) ||
	    setresuid(USER, USER, USER))
		return 125;
	proc_turn(self);
	event_put(id, 1);
	return 0;
}

int main(int argc, char **argv)
{
	struct event ev;
	trace_id_t trid;
	struct proc p;

	(void)argc;
	no_sanitizer();
	if (geteuid() != 0)
		skip_all("not root: no other to become");
	private_shm(argv);
	plan(5);
	id = event_id("an event");
	trid = stream_make(0, attr_inherit(stream_attr(0, 0, 0)));
	stream_start(trid);
	proc_start(&p, become, NULL);
	proc_await(&p);
	ok(shm_found_dead(p.pid), "it is said to be dead");
	/* Looks after all that there is. */
	stream_end(stream_make(0, NULL));
	ok(!event_find_name(trid, "process:exit", &ev), "it lives");
	proc_tell(&p);
	is_int(proc_wait(&p), 0, "it goes on");
	stream_end(stream_make(0, NULL));
	ok(event_find(trid, id, &ev), "and records");
	ok(event_find_name(trid, "process:exit", &ev), "until its end");
	stream_end(trid);
	return done();
}
