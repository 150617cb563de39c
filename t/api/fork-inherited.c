/* SPDX-License-Identifier: MIT */
/*
 * fork: with POSIX_TRACE_INHERITED the child's events are in the stream, under
 * its pid; with CLOSE_FOR_CHILD there are none.  The child controls neither.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>

static trace_event_id_t id;
static trace_id_t inherited, closed;

static int grandchild(struct proc *self, void *arg)
{
	(void)self;
	(void)arg;
	event_put(id, 3);
	return 0;
}

static int child(struct proc *self, void *arg)
{
	struct proc p;

	(void)arg;
	event_put(id, 2);
	proc_start(&p, grandchild, NULL);
	proc_send(self, &p.pid, sizeof(p.pid));
	if (posix_trace_stop(inherited) != EINVAL ||
	    posix_trace_shutdown(closed) != EINVAL)
		return 1;
	return proc_wait(&p);
}

int main(void)
{
	trace_attr_t *attr = stream_attr(0, 0, 0);
	pid_t grandchilds;
	struct event ev;
	struct proc p;
	int others = 0;

	plan(9);
	id = event_id("an event");
	closed = stream_make(0, attr);
	inherited = stream_make(0, attr_inherit(attr));
	stream_start(closed);
	stream_start(inherited);
	event_put(id, 1);
	proc_start(&p, child, NULL);
	proc_receive(&p, &grandchilds, sizeof(grandchilds));
	is_int(proc_wait(&p), 0, "[fork.5] trids are EINVAL in the child");
	event_put(id, 4);
	ok(event_find(inherited, id, &ev) && ev.word == 1 &&
	   ev.info.posix_pid == getpid(), "the parent's event");
	ok(event_find(inherited, id, &ev) && ev.word == 2, "[fork.1] the child's event");
	is_int(ev.info.posix_pid, p.pid, "has its pid");
	is_int(ev.info.posix_tid_np, p.pid, "and its tid");
	ok(event_find(inherited, id, &ev) && ev.word == 3, "[fork.9] the grandchild's");
	is_int(ev.info.posix_pid, grandchilds, "has its pid");
	ok(event_find(inherited, id, &ev) && ev.word == 4, "the parent's last");
	while (event_find(closed, id, &ev))
		others += ev.info.posix_pid != getpid();
	is_int(others, 0,
	       "[fork.3] none but the parent's in the other stream");
	stream_end(closed);
	stream_end(inherited);
	return done();
}
