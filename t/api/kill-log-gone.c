/* SPDX-License-Identifier: MIT */
/*
 * DESIGN law 3: a killed controller whose log has no name any more is
 * collected, and the next controller that traces the same process gets all its
 * events.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"
#include "t/lib/target.h"

#include <signal.h>
#include <stdlib.h>

static int controller(struct proc *self, void *arg)
{
	char path[] = "/tmp/ptl-XXXXXX";
	int fd = mkstemp(path);

	unlink(path);
	stream_start(stream_make_log(*(pid_t *)arg, NULL, fd));
	proc_turn(self);
	return 0;
}

int main(void)
{
	struct proc target, p;
	trace_event_id_t id;
	trace_id_t trid;

	plan(3);
	target_start(&target, 100);
	proc_start(&p, controller, &target.pid);
	proc_await(&p);
	proc_turn(&target);
	is_int(proc_kill(&p, SIGKILL), 128 + SIGKILL, "killed");
	trid = stream_make(target.pid, NULL);
	stream_start(trid);
	proc_turn(&target);
	posix_trace_trid_eventid_open(trid, "an event", &id);
	is_int(event_count(trid, id), 100,
	       "[exit.8] [event.1] the next controller has all events");
	is_int(proc_wait(&target), 0, "the traced process is content");
	stream_end(trid);
	return done();
}
