/* SPDX-License-Identifier: MIT */
/*
 * _exit: from a handler that interrupted any function of the interface, and
 * exit() while other threads wait in getnext: the process ends, its streams
 * are shut down.
 */
#include "t/lib/proc.h"
#include "t/lib/reader.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#define NR_ROUNDS 25

static void leave(int sig)
{
	(void)sig;
	_exit(7);
}

/* Until the timer ends it. */
static int busy(struct proc *self, void *arg)
{
	trace_event_id_t id = event_id("an event");
	int fd = *(int *)arg, none;
	struct itimerval timer = {.it_value = {0, 500 + rand() % 16000}};
	trace_id_t logged, other;
	trace_event_set_t set;
	struct event ev;

	(void)self;
	logged = stream_make_log(0, NULL, fd);
	stream_start(logged);
	event_put(id, 1);
	other = stream_make(0, NULL);
	signal(SIGPROF, leave);
	setitimer(ITIMER_PROF, &timer, NULL);
	posix_trace_eventset_empty(&set);
	for (int i = 0; i < 1000000; i++) {
		stream_start(other);
		event_put(id, 2);
		posix_trace_flush(logged);
		while (!posix_trace_trygetnext_event(other, &ev.info, ev.data,
						     sizeof(ev.data), &ev.size,
						     &none) &&
		       !none)
			;
		posix_trace_set_filter(other, &set, POSIX_TRACE_SET_EVENTSET);
		stream_stop(other);
		stream_end(stream_make(0, NULL));
	}
	return 1;
}

/* One waits, another leaves. */
static int with_reader(struct proc *self, void *arg)
{
	trace_id_t live = stream_make(0, NULL);
	struct reader r;

	(void)self;
	stream_start(stream_make_log(0, NULL, *(int *)arg));
	event_put(event_id("an event"), 1);
	reader_begin(&r, live, 0);
	exit(7);
}

static int is_complete(int fd)
{
	return log_last(fd) == POSIX_TRACE_STOP &&
	       log_count(fd, "an event") >= 1;
}

int main(void)
{
	int fd = file_make(), left = 0, complete = 0;
	struct timespec before, after;
	struct proc p;

	plan(5);
	srand(1);
	for (int i = 0; i < NR_ROUNDS; i++) {
		if (ftruncate(fd, 0))
			break;
		proc_start(&p, busy, &fd);
		left += proc_wait(&p) == 7;
		complete += is_complete(fd);
	}
	is_int(left, NR_ROUNDS, "[exit.2] each ended");
	is_int(complete, NR_ROUNDS, "[exit.2] [exit.7] each log is complete");
	if (ftruncate(fd, 0))
		return 1;
	clock_gettime(CLOCK_MONOTONIC, &before);
	proc_start(&p, with_reader, &fd);
	is_int(proc_wait(&p), 7, "[exit.1] with a thread that waits");
	clock_gettime(CLOCK_MONOTONIC, &after);
	ok(after.tv_sec - before.tv_sec <= (under_valgrind() ? 60 : 5), "soon");
	ok(is_complete(fd), "[exit.1] [exit.7] the log is complete");
	return done();
}
