/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_create: a process of the same user that is not dumpable, such as
 * one that holds keys, controls, traces and is traced like any other; processes
 * that look for dead controllers do not take it for one.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <sys/prctl.h>

static int both(struct proc *self, void *arg)
{
	struct posix_trace_status_info status;
	trace_event_id_t id = event_id("an event");
	trace_id_t own;
	int n;

	(void)arg;
	prctl(PR_SET_DUMPABLE, 0);
	own = stream_make(0, NULL);
	stream_start(own);
	event_put(id, 1);
	proc_turn(self);
	event_put(id, 2);
	if (posix_trace_get_status(own, &status) ||
	    status.posix_stream_status != POSIX_TRACE_RUNNING)
		return 1;
	n = event_count(own, id);
	stream_end(own);
	return n == 2 ? 0 : 2;
}

int main(void)
{
	trace_event_id_t id;
	trace_id_t trid;
	struct proc p;

	plan(4);
	proc_start(&p, both, NULL);
	proc_await(&p);
	is_int(posix_trace_create(p.pid, NULL, &trid), 0,
	       "[privilege.6] it can be traced");
	posix_trace_trid_eventid_open(trid, "an event", &id);
	stream_start(trid);
	for (int i = 0; i < 3; i++)
		stream_end(stream_make(0, NULL));
	proc_tell(&p);
	is_int(proc_wait(&p), 0, "its own stream is there all the time");
	is_int(event_count(trid, id), 1, "[event.11] and it was traced");
	is_int(posix_trace_shutdown(trid), 0, "shutdown");
	return done();
}
