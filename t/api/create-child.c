/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_create: traces another process: a forked child that has not
 * exec'ed, before or after it first used the library.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

static int child(struct proc *self, void *arg)
{
	trace_event_id_t id;

	if (arg)
		event_id("early");
	proc_turn(self);
	id = event_id("of the child");
	for (int i = 0; i < 10; i++)
		event_put(id, (unsigned long)i);
	return 0;
}

static void check(int used)
{
	trace_event_id_t id;
	trace_id_t trid;
	struct event ev;
	struct proc p;
	int n = 0, wrong = 0;

	proc_start(&p, child, used ? &used : NULL);
	proc_await(&p);
	trid = stream_make(p.pid, NULL);
	posix_trace_trid_eventid_open(trid, "of the child", &id);
	stream_start(trid);
	event_put(id, 1000);
	proc_tell(&p);
	is_int(proc_wait(&p), 0, "the child is content");
	while (event_find(trid, id, &ev)) {
		wrong += ev.info.posix_pid != p.pid || (int)ev.word != n;
		n++;
	}
	is_int(n, 10, "[create.5] its events are there");
	is_int(wrong, 0, "as they were");
	stream_end(trid);
}

int main(void)
{
	plan(6);
	check(0);
	check(1);
	return done();
}
