/* SPDX-License-Identifier: MIT */
/*
 * exit, SIGKILL: what the streams of dead controllers took of TRACE_SYS_MAX is
 * free for others at once.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#define NR_EACH 12

/* Says how many it could create, and dies. */
static int controller(struct proc *self, void *arg)
{
	trace_attr_t *attr = stream_attr(4096, 8, 0);
	int fd, n = 0;

	for (int i = 0; i < NR_EACH; i++) {
		trace_id_t trid;

		fd = file_make();
		posix_trace_attr_setlogfullpolicy(attr, POSIX_TRACE_APPEND);
		n += i % 2 ? !posix_trace_create(0, attr, &trid) :
			     !posix_trace_create_withlog(0, attr, fd, &trid);
	}
	proc_send(self, &n, sizeof(n));
	proc_await(self);
	if (*(int *)arg)
		raise(SIGKILL);
	_exit(0);
}

int main(int argc, char **argv)
{
	int sum = 0, rounds = 2 * TRACE_SYS_MAX / NR_EACH + 1;
	struct proc p;

	(void)argc;
	private_shm(argv);
	plan(2);
	for (int killed = 0; killed < 2; killed++) {
		sum = 0;
		for (int i = 0; i < rounds; i++) {
			int n = 0;

			proc_start(&p, controller, &killed);
			proc_receive(&p, &n, sizeof(n));
			proc_tell(&p);
			proc_wait(&p);
			sum += n;
		}
		is_int(sum, rounds * NR_EACH, "[exit.9] after %s",
		       killed ? "SIGKILL" : "_exit()");
	}
	return done();
}
