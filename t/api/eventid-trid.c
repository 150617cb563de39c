/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_trid_eventid_open: gives the id that the traced process gets for
 * the name, also before it opened it, and the same for each of its streams.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

static int child(struct proc *self, void *arg)
{
	trace_event_id_t id;

	(void)arg;
	id = event_id("early");
	proc_tell(self);
	while (proc_await(self)) {
		id = event_id("the name");
		event_put(id, 5);
		proc_send(self, &id, sizeof(id));
	}
	(void)id;
	return 0;
}

int main(void)
{
	trace_event_id_t one = 0, two = 0, early = 0, got = 0;
	trace_id_t first, second;
	struct event ev;
	struct proc p;

	plan(8);
	proc_start(&p, child, NULL);
	proc_await(&p);
	first = stream_make(p.pid, NULL);
	second = stream_make(p.pid, NULL);
	is_int(posix_trace_trid_eventid_open(first, "the name", &one), 0,
	       "[trid_eventid_open.7] in one stream");
	is_int(posix_trace_trid_eventid_open(second, "the name", &two), 0,
	       "in the other");
	is_int(one, two, "the same id");
	posix_trace_trid_eventid_open(first, "early", &early);
	ok(early != one, "[trid_eventid_open.1] another name, another id");
	stream_start(second);
	proc_tell(&p);
	proc_receive(&p, &got, sizeof(got));
	is_int(got, one,
	       "[trid_eventid_open.4 eventid_open.4] "
	       "the process gets the same");
	ok(event_find(second, one, &ev) && ev.word == 5, "and records it");
	stream_end(first);
	stream_end(second);
	first = stream_make(p.pid, NULL);
	posix_trace_trid_eventid_open(first, "the name", &two);
	is_int(two, one, "[trid_eventid_open.5] a later stream knows it, too");
	stream_end(first);
	is_int(proc_wait(&p), 0, "the child is content");
	return done();
}
