/* SPDX-License-Identifier: MIT */
/*
 * DESIGN law 3: what killed processes leave in shared memory is collected by
 * later creates, whatever they were doing.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <stdlib.h>

static int busy(struct proc *self, void *arg)
{
	trace_event_id_t id = event_id("an event");
	int fd = *(int *)arg;

	proc_tell(self);
	for (int i = 0;; i++) {
		trace_id_t trid = i % 2 ? stream_make(0, NULL) :
					  stream_make_log(0, NULL, fd);

		posix_trace_set_prototypes_np(trid, "abs ii\n", 7);
		stream_start(trid);
		event_put(id, 1);
		stream_end(trid);
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct proc p;
	int fd;

	(void)argc;
	private_shm(argv);
	plan(2);
	fd = file_make();
	for (int i = 0; i < 100; i++) {
		proc_start(&p, busy, &fd);
		proc_await(&p);
		for (volatile int n = rand() % 1000000; n > 0; n--)
			;
		proc_kill(&p, SIGKILL);
	}
	for (int i = 0; i < 4; i++)
		stream_end(stream_make(0, NULL));
	ok(shm_files() <= 2, "nothing but our own block and names is left");
	diag("%d files", shm_files());
	ok(posix_trace_eventid_open("x", &(trace_event_id_t){ 0 }) == 0,
	   "names can be opened");
	return done();
}
