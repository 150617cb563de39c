/* SPDX-License-Identifier: MIT */
/*
 * exec of a controller shuts its streams down, also one that traces the
 * controller itself and goes on tracing what was a process with streams.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <string.h>

static char **args;
static int fd;

/* The new image, alive while its creator's log is looked at. */
static int after_exec(char **argv)
{
	struct proc p = proc_again(argv);

	proc_turn(&p);
	return 0;
}

static int controller(struct proc *self, void *arg)
{
	(void)arg;
	stream_start(stream_make_log(0, NULL, fd));
	event_put(event_id("an event"), 1);
	proc_exec(self, args[0], "exec");
	return 1;
}

int main(int argc, char **argv)
{
	struct proc p;

	if (argc > 1 && strcmp(argv[1], "exec") == 0)
		return after_exec(argv);
	plan(4);
	args = argv;
	fd = file_make();
	proc_start(&p, controller, NULL);
	ok(proc_await(&p), "the new image runs");
	is_int(log_state(fd), POSIX_TRACE_LOG_COMPLETE_NP, "complete");
	is_int(log_count(fd, "an event"), 1, "with the event");
	proc_tell(&p);
	is_int(proc_wait(&p), 0, "the process went on");
	return done();
}
