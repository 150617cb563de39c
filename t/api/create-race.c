/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_create: of a process that forks or execs at this very moment: its
 * events from then on are in the stream.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define NR_ROUNDS 40

static char *path;

static int record(struct proc *self)
{
	proc_turn(self);
	event_put(event_id("an event"), 1);
	return 0;
}

static int image(char **argv)
{
	struct proc p = proc_again(argv);

	return record(&p);
}

/* Runs on while it is given a stream. */
static int start(struct proc *self, void *arg)
{
	if (!*(int *)arg)
		return record(self);
	proc_exec(self, path, "image");
	return 126;
}

static void check(int execs)
{
	int seen = 0;

	for (int i = 0; i < NR_ROUNDS; i++) {
		trace_event_id_t id;
		trace_id_t trid;
		struct proc p;

		proc_start(&p, start, &execs);
		for (volatile int n = rand() % 200000; n > 0; n--)
			;
		trid = stream_make(p.pid, NULL);
		stream_start(trid);
		proc_await(&p);
		proc_tell(&p);
		proc_wait(&p);
		posix_trace_trid_eventid_open(trid, "an event", &id);
		seen += event_count(trid, id) == 1;
		stream_end(trid);
	}
	is_int(seen, NR_ROUNDS, "[exec.1] [event.11] while it %s",
	       execs ? "execs" : "begins");
}

int main(int argc, char **argv)
{
	path = argv[0];
	if (argc > 3 && strcmp(argv[1], "image") == 0)
		return image(argv);
	plan(2);
	srand(1);
	check(0);
	check(1);
	return done();
}
