/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_create, _create_withlog: ENOMEM if /dev/shm is full, whether it
 * is for the stream or for what else is kept there; ENOSPC is the log's.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>

static int make_filler(void)
{
	static char zeroes[65536];
	int fd = open("/dev/shm/filler", O_WRONLY | O_CREAT | O_EXCL, 0600);

	while (write(fd, zeroes, sizeof(zeroes)) > 0)
		;
	while (write(fd, zeroes, 1) > 0)
		;
	return fd;
}

static int idle(struct proc *self, void *arg)
{
	(void)arg;
	return !proc_await(self);
}

int main(int argc, char **argv)
{
	int fd, log = file_make();
	trace_id_t trid;
	struct proc p;

	(void)argc;
	private_shm(argv);
	if (mount("none", "/dev/shm", "tmpfs", MS_REMOUNT, "size=8m"))
		skip_all("cannot make /dev/shm small");
	plan(4);
	stream_end(stream_make(0, NULL));
	proc_start(&p, idle, NULL);
	fd = make_filler();
	is_int(posix_trace_create(0, NULL, &trid), ENOMEM, "[create.18] full");
	is_int(posix_trace_create_withlog(0, NULL, log, &trid), ENOMEM,
	       "[create_withlog.11] with log");
	is_int(posix_trace_create(p.pid, NULL, &trid), ENOMEM,
	       "of another process");
	close(fd);
	unlink("/dev/shm/filler");
	is_int(posix_trace_create(0, NULL, &trid), 0, "with room it can be");
	proc_tell(&p);
	proc_wait(&p);
	return done();
}
