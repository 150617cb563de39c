/* SPDX-License-Identifier: MIT */
/*
 * exec: the new image does not inherit the mapping of names: as many can be
 * opened as if there were none.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <string.h>

/* POSIX_TRACE_UNNAMED_USEREVENT is one of the types. */
#define NR_NAMES (TRACE_USER_EVENT_MAX - 1)

static char *path;

/* The number of names that got a type of their own. */
static int open_all(const char *prefix)
{
	int n = 0;

	for (int i = 0; i < NR_NAMES; i++)
		n += event_id_nr(prefix, i) != POSIX_TRACE_UNNAMED_USEREVENT;
	return n;
}

static int traced(struct proc *self, void *arg)
{
	(void)arg;
	proc_turn(self);
	if (open_all("before") != NR_NAMES ||
	    event_id("one more") != POSIX_TRACE_UNNAMED_USEREVENT)
		return 1;
	execl(path, path, "image", (char *)NULL);
	return 2;
}

static int after_exec(void)
{
	if (open_all("before") != NR_NAMES)
		return 3;
	return event_id("one more") != POSIX_TRACE_UNNAMED_USEREVENT ? 4 : 0;
}

int main(int argc, char **argv)
{
	trace_id_t trid;
	struct proc p;

	path = argv[0];
	if (argc > 1 && strcmp(argv[1], "image") == 0)
		return after_exec();
	plan(1);
	proc_start(&p, traced, NULL);
	proc_await(&p);
	trid = stream_make(p.pid, NULL);
	stream_start(trid);
	proc_tell(&p);
	is_int(proc_wait(&p), 0, "[exec.2] all names can be opened again");
	stream_end(trid);
	return done();
}
