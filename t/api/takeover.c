/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_takeover_np: a stream whose controller was killed goes on with
 * the same log; with a guardian nobody ends it before.  And what they refuse.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* A controller of ours, that waits to be killed. */
static pid_t start_controller(int fd)
{
	trace_attr_t attr;
	trace_id_t trid;
	int ready[2];
	char byte;
	pid_t pid, target = getpid();

	if (pipe(ready) != 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		posix_trace_attr_init(&attr);
		if (posix_trace_create_withlog(target, &attr, fd, &trid) != 0 ||
		    posix_trace_start(trid) != 0 || write(ready[1], "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		pid = -1;
	close(ready[0]);
	return pid;
}

static void kill_controller(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void put(trace_event_id_t id, int from, int to)
{
	for (int i = from; i < to; i++)
		posix_trace_event(id, &i, sizeof(i));
}

/* How many events of that type are in the log. */
static int nr_logged(int fd, trace_event_id_t id)
{
	struct posix_trace_event_info info;
	int nr = 0, none = 0, data;
	trace_id_t trid;
	size_t size;

	if (posix_trace_open(fd, &trid) != 0)
		return -1;
	while (posix_trace_getnext_event(trid, &info, &data, sizeof(data),
					 &size, &none) == 0 &&
	       !none)
		nr += info.posix_event_id == id;
	posix_trace_close(trid);
	return nr;
}

int main(void)
{
	struct posix_trace_info_np info;
	char path[] = "/tmp/ptrace-takeover.XXXXXX";
	int fd = mkstemp(path), zero = open("/dev/zero", O_RDWR);
	trace_event_id_t id;
	trace_id_t trid;
	pid_t pid;

	plan(13);
	unlink(path);
	is_int(posix_trace_guard_np(zero), EINVAL, "no log: guard");
	is_int(posix_trace_takeover_np(fd, &trid), EINVAL, "an empty file");
	id = event_id("an event");
	pid = start_controller(fd);
	ok(pid > 0, "a controller");
	is_int(posix_trace_takeover_np(fd, NULL), EINVAL, "no identifier");
	is_int(posix_trace_takeover_np(fd, &trid), EBUSY,
	       "it has a controller");
	is_int(posix_trace_guard_np(fd), 0, "a guardian");
	put(id, 0, 1000);
	kill_controller(pid);
	put(id, 1000, 2000);
	/* This looks for streams of dead controllers. */
	stream_end(stream_run(getpid(), NULL));
	is_int(posix_trace_takeover_np(fd, &trid), 0, "another");
	put(id, 2000, 3000);
	is_int(posix_trace_takeover_np(fd, &trid), EBUSY, "it has one again");
	is_int(posix_trace_shutdown_np(trid, &info), 0, "shut down");
	is_int((int)info.lost, 0, "nothing is lost");
	is_int(nr_logged(fd, id), 3000, "all are in the log, once");
	is_int(posix_trace_takeover_np(fd, &trid), ESRCH, "it is complete");
	is_int(posix_trace_guard_np(fd), ESRCH, "there is nothing to guard");
	return done();
}
