/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event: may be called from a handler that interrupted any other
 * function of the interface, and loses nothing, nor stops it.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>

#define NR_ROUNDS 400

static trace_event_id_t id;
static _Atomic unsigned long handled;

static void handler(int sig)
{
	int saved = errno;

	(void)sig;
	event_put(id, handled++);
	errno = saved;
}

static int get(trace_id_t trid, struct event *ev)
{
	int none = 1;

	posix_trace_trygetnext_event(trid, &ev->info, ev->data,
				     sizeof(ev->data), &ev->size, &none);
	return !none;
}

/* Every function, each of them interrupted now and then. */
static void one_round(int fd, int round)
{
	struct timespec past = {1, 0};
	trace_event_set_t set;
	trace_event_id_t other;
	trace_id_t trid, log;
	trace_attr_t attr;
	struct event ev;
	char name[32];
	int none;

	if (ftruncate(fd, 0))
		return;
	snprintf(name, sizeof(name), "name %d", round % 500);
	posix_trace_eventid_open(name, &other);
	trid = stream_make(0, NULL);
	stream_start(trid);
	posix_trace_get_attr(trid, &attr);
	posix_trace_trid_eventid_open(trid, name, &other);
	posix_trace_eventset_fill(&set, POSIX_TRACE_SYSTEM_EVENTS);
	posix_trace_set_filter(trid, &set, POSIX_TRACE_SET_EVENTSET);
	while (get(trid, &ev))
		;
	posix_trace_timedgetnext_event(trid, &ev.info, ev.data, sizeof(ev.data),
				       &ev.size, &none, &past);
	posix_trace_clear(trid);
	stream_stop(trid);
	stream_end(trid);
	trid = stream_make_log(0, NULL, fd);
	stream_start(trid);
	event_put(other, 1);
	posix_trace_flush(trid);
	stream_end(trid);
	log = log_open(fd);
	while (event_next(log, &ev))
		;
	posix_trace_close(log);
}

int main(void)
{
	struct sigaction action = {.sa_handler = handler,
				   .sa_flags = SA_RESTART};
	struct itimerval timer = {{0, 1000}, {0, 1000}};
	trace_id_t all;
	struct event ev;
	unsigned long next = 0;
	int fd = file_make(), wrong = 0;

	plan(3);
	id = event_id("of the handler");
	all = stream_run(0, stream_attr(4 << 20, 8, POSIX_TRACE_UNTIL_FULL));
	sigaction(SIGVTALRM, &action, NULL);
	setitimer(ITIMER_VIRTUAL, &timer, NULL);
	/* The process's time is counted in ticks of the CPU, if it is seen. */
	for (int i = 0; i < NR_ROUNDS || handled < 10; i++)
		one_round(fd, i);
	timer = (struct itimerval){{0, 0}, {0, 0}};
	setitimer(ITIMER_VIRTUAL, &timer, NULL);
	while (event_find(all, id, &ev))
		wrong += ev.word != next++;
	ok(handled > 0, "%lu times", handled);
	is_int((long long)next, (long long)handled, "[event.9] all are there");
	is_int(wrong, 0, "[event.9] in order");
	stream_end(all);
	return done();
}
