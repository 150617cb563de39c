/* SPDX-License-Identifier: MIT */
/*
 * The recorders of a stream stop it when they find, as they leave a chunk, that
 * its controller was killed: nobody else has to look.
 */
#include "core/record/attached.h"

#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

static int controller(struct proc *self, void *arg)
{
	stream_run(*(pid_t *)arg, stream_attr(256 << 10, 64, 0));
	proc_turn(self);
	return 0;
}

static bool runs(void)
{
	uint64_t active = ptl_attached_active();
	struct ptl_map *map =
		active ? ptl_attached_map(
				 (unsigned int)__builtin_ctzll(active)) :
			 NULL;

	return map && ptl_map_state(map) == PTL_STATE_RUNNING;
}

/* Records for so long, or until the stream stops. */
static void record(trace_event_id_t id, int seconds)
{
	time_t end = time(NULL) + seconds;

	while (runs() && time(NULL) < end)
		for (unsigned long i = 0; i < 10000; i++)
			event_put(id, i);
}

int main(int argc, char **argv)
{
	trace_event_id_t id;
	pid_t me = getpid();
	struct proc p;

	(void)argc;
	private_shm(argv);
	plan(4);
	id = event_id("an event");
	proc_start(&p, controller, &me);
	proc_await(&p);
	ok(runs(), "a stream of another process");
	record(id, 2);
	ok(runs(), "runs while that lives");
	/* Nobody reaps it. */
	kill(p.pid, SIGKILL);
	record(id, 60);
	ok(!runs(), "and not when it was killed");
	is_int(proc_wait(&p), 128 + SIGKILL, "as it was");
	return done();
}
