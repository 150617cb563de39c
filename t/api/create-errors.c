/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_create, _create_withlog: each error of the standard, and a
 * stream can be made afterwards.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>

static int nobody(struct proc *self, void *arg)
{
	trace_id_t trid;

	(void)self;
	if (setresuid(65534, 65534, 65534))
		return 77;
	return posix_trace_create(*(pid_t *)arg, NULL, &trid);
}

int main(void)
{
	trace_attr_t *flush = stream_attr(0, 0, POSIX_TRACE_FLUSH);
	trace_attr_t garbage, huge = *stream_attr(0, (size_t)1 << 60, 0);
	pid_t parent = getpid(), dead;
	int fd = file_make(), pipes[2], closed;
	trace_id_t trid;
	struct proc p;

	plan(14);
	*flush = *stream_attr(0, 0, POSIX_TRACE_FLUSH);
	memset(&garbage, 0x7f, sizeof(garbage));
	is_int(posix_trace_create(0, &garbage, &trid), EINVAL,
	       "[create.17] bad attr");
	is_int(posix_trace_create(0, flush, &trid), EINVAL,
	       "[create.17] [streampolicy.8] FLUSH without log");
	ok(posix_trace_create(0, &huge, &trid) != 0,
	   "[create.18] absurd sizes");
	dead = fork();
	if (dead == 0)
		_exit(0);
	waitpid(dead, NULL, 0);
	is_int(posix_trace_create(dead, NULL, &trid), ESRCH,
	       "[create.20] no such process");
	is_int(posix_trace_create(-2, NULL, &trid), ESRCH,
	       "[create.20] a negative pid");
	is_int(posix_trace_create_withlog(dead, NULL, fd, &trid), ESRCH,
	       "[create_withlog.11] no such process, with log");
	if (geteuid() == 0) {
		proc_start(&p, nobody, &parent);
		is_int(proc_wait(&p), EPERM,
		       "[create.19] another user's process");
	} else {
		is_int(posix_trace_create(1, NULL, &trid), EPERM,
		       "[create.19] another user's process");
	}
	closed = dup(fd);
	close(closed);
	is_int(posix_trace_create_withlog(0, NULL, closed, &trid), EBADF,
	       "[create_withlog.8] a closed descriptor");
	is_int(posix_trace_create_withlog(0, NULL, -1, &trid), EBADF,
	       "[create_withlog.8] -1");
	closed = open("/dev/null", O_RDONLY);
	is_int(posix_trace_create_withlog(0, NULL, closed, &trid), EBADF,
	       "[create_withlog.8] a read-only descriptor");
	if (pipe(pipes))
		return 1;
	is_int(posix_trace_create_withlog(0, NULL, pipes[0], &trid), EBADF,
	       "[create_withlog.8] the reading end of a pipe");
	is_int(posix_trace_create_withlog(0, NULL, pipes[1], &trid), EINVAL,
	       "[create_withlog.9] a pipe cannot LOOP");
	closed = open("/", O_RDONLY | O_DIRECTORY);
	ok(posix_trace_create_withlog(0, NULL, closed, &trid) != 0,
	   "a directory");
	is_int(posix_trace_create(0, NULL, &trid), 0,
	       "[create.21] then all is well");
	return done();
}
