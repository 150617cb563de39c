/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_open: of the log of a stream that is still active nothing is
 * shut down and nothing lost; of a killed controller's it makes a whole log.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#define NR 1000

static trace_event_id_t id;
static int fd;

/* Reads what there is; -1: EINVAL. */
static int try_read(void)
{
	unsigned long next = 0;
	struct event ev;
	trace_id_t log;
	int err = posix_trace_open(fd, &log);

	if (err)
		return err == EINVAL ? -1 : -2;
	while (event_find(log, id, &ev))
		if (ev.word != next++)
			return -2;
	posix_trace_close(log);
	return (int)next;
}

static int controller(struct proc *self, void *arg)
{
	trace_id_t trid = stream_make_log(0, NULL, fd);

	(void)arg;
	/* A sanitizer has a handler. */
	signal(SIGSEGV, SIG_DFL);
	stream_start(trid);
	for (unsigned long i = 0; i < NR; i++)
		event_put(id, i);
	proc_turn(self);
	for (unsigned long i = NR; i < 2 * NR; i++)
		event_put(id, i);
	proc_turn(self);
	stream_end(trid);
	return 0;
}

static void check(int sig)
{
	struct event ev = {.size = 0}, last = ev;
	struct proc p;
	trace_id_t log;
	int n;

	fd = file_make();
	proc_start(&p, controller, NULL);
	proc_await(&p);
	n = try_read();
	ok(n >= -1 && n <= NR, "[open.17] half a log: %d events", n);
	proc_turn(&p);
	n = try_read();
	ok(n >= -1 && n <= 2 * NR, "[open.17] more of it: %d events", n);
	if (sig) {
		is_int(proc_kill(&p, sig), 128 + sig, "[exit.4] killed");
	} else {
		proc_tell(&p);
		is_int(proc_wait(&p), 0, "shut down");
	}
	is_int(try_read(), 2 * NR, "[exit.7] then it has all");
	log = log_open(fd);
	while (event_next(log, &ev))
		last = ev;
	is_int((long long)last.info.posix_event_id, POSIX_TRACE_STOP,
	       "and ends with STOP");
	posix_trace_close(log);
}

int main(void)
{
	plan(15);
	id = event_id("an event");
	check(0);
	check(SIGKILL);
	check(SIGSEGV);
	return done();
}
