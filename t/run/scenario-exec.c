/* SPDX-License-Identifier: MIT */
/*
 * The standard's third scenario: a debugger forks, traces the child, and lets it
 * exec an instrumented program when the stream is there, so that it loses no
 * event; it reads while that runs.
 */
#include "t/lib/proc.h"
#include "t/lib/tap.h"

#include <trace.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Waits for the stream, and becomes the program. */
static int become(struct proc *self, void *arg)
{
	if (!proc_await(self))
		return 1;
	execl(arg, "victim-scenario", (char *)NULL);
	return 127;
}

struct found {
	struct posix_trace_event_info info;
	char data[64];
	size_t size;
};

/* Waits for the next event of that type. */
static int next_of(trace_id_t trid, trace_event_id_t id, struct found *found)
{
	int none = 0;

	do
		if (posix_trace_getnext_event(trid, &found->info, found->data,
					      sizeof(found->data),
					      &found->size, &none) != 0 ||
		    none)
			return 0;
	while (found->info.posix_event_id != id);
	return 1;
}

static void debug(char *program)
{
	trace_event_id_t first, second;
	trace_event_set_t set;
	struct found found;
	struct proc child;
	trace_id_t trid;

	proc_start(&child, become, program);
	is_int(posix_trace_create(child.pid, NULL, &trid), 0, "create");
	posix_trace_eventset_fill(&set, POSIX_TRACE_SYSTEM_EVENTS);
	is_int(posix_trace_set_filter(trid, &set, POSIX_TRACE_SET_EVENTSET), 0,
	       "filter");
	is_int(posix_trace_trid_eventid_open(trid, "my_first_event", &first), 0,
	       "a type by its name");
	is_int(posix_trace_start(trid), 0, "start");
	proc_tell(&child);
	ok(next_of(trid, first, &found), "the first event");
	is_int(found.info.posix_pid, child.pid, "of the child");
	posix_trace_trid_eventid_open(trid, "my_second_event", &second);
	ok(next_of(trid, second, &found), "the second");
	ok(found.size == 4 && memcmp(found.data, "data", 4) == 0, "its data");
	is_int(proc_wait(&child), 5, "the program has ended");
	is_int(posix_trace_shutdown(trid), 0, "shutdown");
}

int main(void)
{
	char program[PATH_MAX];

	plan(20);
	proc_deadline(30);
	snprintf(program, sizeof(program), "%s/t/run/victim-scenario",
		 top_builddir());
	debug(program);
	debug(program);
	return done();
}
