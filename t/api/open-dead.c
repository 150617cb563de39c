/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_open of a killed controller's log: a copy that was made before
 * any process opened it, a descriptor that cannot write, two processes that
 * open it at once; in the end the log itself has all events.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define NR 1000
#define NR_OPENERS 3

static int fd;

static int controller(struct proc *self, void *arg)
{
	trace_event_id_t id = event_id("an event");
	trace_id_t trid = stream_make_log(0, NULL, fd);

	(void)arg;
	stream_start(trid);
	for (unsigned long i = 0; i < NR; i++) {
		event_put(id, i);
		if (i == NR / 2)
			posix_trace_flush(trid);
	}
	proc_turn(self);
	return 0;
}

static void make(void)
{
	struct proc p;

	if (ftruncate(fd, 0))
		return;
	proc_start(&p, controller, NULL);
	proc_await(&p);
	proc_kill(&p, SIGKILL);
}

static int copy(void)
{
	int to = memfd_create("copy", 0);
	char buf[65536];
	ssize_t n;

	for (off_t at = 0; (n = pread(fd, buf, sizeof(buf), at)) > 0; at += n)
		if (write(to, buf, (size_t)n) != n)
			break;
	return to;
}

/* The events of a log, if they are in order; -1: EINVAL; -2: else. */
static int events(int from)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	unsigned long next = 0;
	struct event ev;
	trace_id_t log;
	int err = posix_trace_open(from, &log);

	if (err)
		return err == EINVAL ? -1 : -2;
	while (event_next(log, &ev)) {
		posix_trace_eventid_get_name(log, ev.info.posix_event_id, name);
		if (name[0] == 'a' && ev.word != next++)
			return -2;
	}
	posix_trace_close(log);
	return (int)next;
}

static int opener(struct proc *self, void *arg)
{
	(void)arg;
	proc_await(self);
	return events(fd) == NR ? 0 : 1;
}

static int reopen(int flags)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, flags);
}

int main(void)
{
	struct proc p[NR_OPENERS];
	int copied, n, wrong = 0;
	siginfo_t info;

	plan(9);
	fd = file_make();
	make();
	copied = copy();
	n = events(copied);
	ok(n >= -1 && n <= NR, "[open.17] a copy made before: %d events", n);
	is_int(events(fd), NR, "[exit.4] [exit.7] the log itself has all");
	close(copied);
	copied = copy();
	is_int(events(copied), NR, "[open.16] and so has a copy made now");
	make();
	copied = reopen(O_RDONLY);
	is_int(events(copied), NR, "[open.2] by a read-only descriptor");
	is_int(events(fd), NR, "by the other");
	make();
	for (int i = 0; i < NR_OPENERS; i++)
		proc_start(&p[i], opener, NULL);
	for (int i = 0; i < NR_OPENERS; i++)
		proc_tell(&p[i]);
	for (int i = 0; i < NR_OPENERS; i++)
		wrong += proc_wait(&p[i]);
	is_int(wrong, 0, "[exit.7] %d at once", NR_OPENERS);
	is_int(events(fd), NR, "and after them");
	/* Dead, though not waited for. */
	if (ftruncate(fd, 0))
		return 1;
	proc_start(&p[0], controller, NULL);
	proc_await(&p[0]);
	kill(p[0].pid, SIGKILL);
	waitid(P_PID, (id_t)p[0].pid, &info, WEXITED | WNOWAIT);
	is_int(events(fd), NR, "[exit.4] a controller that is a zombie");
	proc_wait(&p[0]);
	/* Others' creates collect it, too. */
	make();
	stream_end(stream_make(0, NULL));
	is_int(events(fd), NR, "[exit.7] after others were there");
	return done();
}
