/* SPDX-License-Identifier: MIT */
/*
 * SIGKILL: a controller whose log has no name (tmpfile(3), memfd_create(2)) is
 * shut down, too: a process that has the file open can read everything, also if
 * others have created streams meanwhile.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

static int fd;

static int controller(struct proc *self, void *arg)
{
	trace_event_id_t id = event_id("an event");

	(void)arg;
	stream_start(stream_make_log(0, NULL, fd));
	for (unsigned long i = 0; i < 100; i++)
		event_put(id, i);
	proc_turn(self);
	return 0;
}

static void check(int others, const char *what)
{
	struct proc p;

	proc_start(&p, controller, NULL);
	proc_await(&p);
	proc_kill(&p, SIGKILL);
	if (others)
		stream_end(stream_make(0, NULL));
	is_int(log_count(fd, "an event"), 100, "[exit.4] [exit.7] %s", what);
	close(fd);
}

int main(void)
{
	char path[] = "/tmp/ptl-XXXXXX";

	plan(3);
	fd = memfd_create("log", 0);
	check(0, "a memfd");
	fd = memfd_create("log", 0);
	check(1, "a memfd, others were there");
	fd = mkstemp(path);
	unlink(path);
	check(1, "a file unlinked, others were there");
	return done();
}
