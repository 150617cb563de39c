/* SPDX-License-Identifier: MIT */
/*
 * TRACE_SYS_MAX is system-wide: streams of two processes count together, those
 * of a process that was killed count no longer.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <signal.h>

/* How many can be made, up to TRACE_SYS_MAX and one more; the last error. */
static int make_all(int *err)
{
	trace_attr_t *attr = stream_attr(1000, 64, 0);
	trace_id_t trid;
	int n = 0;

	while (n <= TRACE_SYS_MAX &&
	       !(*err = posix_trace_create(0, attr, &trid)))
		n++;
	return n;
}

static int other(struct proc *self, void *arg)
{
	int half = *(int *)arg, err = 0;
	trace_id_t trid;

	for (int i = 0; i < half && !err; i++)
		err = posix_trace_create(0, stream_attr(1000, 64, 0), &trid);
	proc_send(self, &err, sizeof(err));
	proc_await(self);
	return 0;
}

int main(int argc, char **argv)
{
	int half = TRACE_SYS_MAX / 2, err, n;
	trace_id_t trid;
	struct proc p;

	(void)argc;
	private_shm(argv);
	plan(8);
	ok(TRACE_SYS_MAX >= 8 && TRACE_SYS_MAX >= _POSIX_TRACE_SYS_MAX,
	   "[create.13] the minimum");
	is_int(_POSIX_TRACE_SYS_MAX, 8, "[create.13] is 8");
	proc_start(&p, other, &half);
	proc_receive(&p, &err, sizeof(err));
	is_int(err, 0, "[create.12] another process has half of them");
	n = make_all(&err);
	is_int(n, TRACE_SYS_MAX - half, "[create.13] we get the other half");
	is_int(err, EAGAIN, "[create.15] and then EAGAIN");
	is_int(posix_trace_create_withlog(0, NULL, file_make(), &trid), EAGAIN,
	       "[create_withlog.11] with log, too");
	proc_kill(&p, SIGKILL);
	n = make_all(&err);
	is_int(n, half, "[create.24] those of a killed process are free");
	is_int(err, EAGAIN, "[create.15] and then EAGAIN");
	return done();
}
