/* SPDX-License-Identifier: MIT */
/*
 * Everything at once, for two seconds: threads, handlers, processes that are
 * killed, and a controller that does whatever it may.  `make stress' takes
 * longer; see t/stress/stress.h.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"
#include "t/stress/stress.h"

static int run(struct proc *self, void *arg)
{
	(void)self;
	(void)arg;
	return st_run(2, (uint64_t)st_now(CLOCK_REALTIME));
}

int main(int argc, char **argv)
{
	struct proc p;

	(void)argc;
	private_shm(argv);
	plan(2);
	proc_start(&p, run, NULL);
	is_int(proc_wait(&p), 0, "all is as it must be");
	ok(shm_files() <= 2, "nothing but our own block and names is left");
	return done();
}
