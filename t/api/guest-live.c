/* SPDX-License-Identifier: MIT */
/*
 * A stream without log, and a program of it that became another user's: its
 * events are read as they come, only while the stream runs, not if they are
 * filtered, and not what was cleared.  Runs only as root.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <grp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define USER 65534

static char **args;

/* One event in each turn.  The names of another user's family mean nothing in
 * the stream. */
static int guest(char **argv)
{
	struct proc p = proc_again(argv);
	trace_event_id_t id = event_id("an event");

	for (unsigned long number = 1; proc_turn(&p); number++)
		event_put(id, number);
	return 0;
}

static int become(struct proc *self, void *arg)
{
	(void)arg;
	if (setgroups(0, NULL) || setresgid(USER, USER, USER) ||
	    setresuid(USER, USER, USER))
		return 125;
	/* 1 where the tests have to load the library first. */
	setenv("PTRACE_DISABLE", "0", 1);
	proc_exec(self, args[0], "guest");
	return 126;
}

/* The number of its next event; 0: none. */
static int next(trace_id_t trid)
{
	struct event ev;

	return event_find(trid, POSIX_TRACE_UNNAMED_USEREVENT, &ev) ?
		       ev.number :
		       0;
}

static void filter(trace_id_t trid, int how)
{
	trace_event_set_t set;

	posix_trace_eventset_empty(&set);
	posix_trace_eventset_add(POSIX_TRACE_UNNAMED_USEREVENT, &set);
	is_int(posix_trace_set_filter(trid, &set, how), 0, "set_filter");
}

int main(int argc, char **argv)
{
	trace_id_t trid;
	struct proc p;

	if (argc > 1 && strcmp(argv[1], "guest") == 0)
		return guest(argv);
	no_sanitizer();
	if (geteuid() != 0)
		skip_all("not root: no other to become");
	args = argv;
	trid = stream_run(0, attr_inherit(stream_attr(0, 0, 0)));
	proc_start(&p, become, NULL);
	if (!proc_await(&p))
		skip_all("the tree is closed to others");
	plan(13);
	ok(proc_turn(&p), "it records");
	is_int(next(trid), 1, "an event is read");
	proc_turn(&p);
	proc_turn(&p);
	is_int(next(trid), 2, "another");
	is_int(next(trid), 3, "in order");
	stream_stop(trid);
	proc_turn(&p);
	stream_start(trid);
	proc_turn(&p);
	is_int(next(trid), 5, "none while the stream is stopped");
	filter(trid, POSIX_TRACE_ADD_EVENTSET);
	proc_turn(&p);
	filter(trid, POSIX_TRACE_SUB_EVENTSET);
	proc_turn(&p);
	is_int(next(trid), 7, "none that is filtered");
	proc_turn(&p);
	is_int(posix_trace_clear(trid), 0, "clear");
	proc_turn(&p);
	is_int(next(trid), 9, "none that was cleared");
	is_int(next(trid), 0, "and no more");
	is_int(proc_kill(&p, 9), 128 + 9, "the guest is killed");
	is_int(posix_trace_shutdown(trid), 0, "shutdown");
	return done();
}
