/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_getnext_event, _timedgetnext_event: as all functions that wait,
 * they go on waiting after a handler with SA_RESTART.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

static trace_event_id_t id;
static trace_id_t trid;
static _Atomic pid_t tid;
static _Atomic int caught, finished;
static struct event ev;

static void count(int sig)
{
	(void)sig;
	caught++;
}

static void *read_one(void *arg)
{
	struct timespec late = {.tv_sec = time(NULL) + 25};
	int none, err;

	tid = gettid();
	err = arg ? posix_trace_timedgetnext_event(trid, &ev.info, ev.data,
						   sizeof(ev.data), &ev.size,
						   &none, &late) :
		    posix_trace_getnext_event(trid, &ev.info, ev.data,
					      sizeof(ev.data), &ev.size, &none);
	finished = 1;
	return (void *)(size_t)err;
}

static void check(int timed)
{
	pthread_t thread;
	void *err;

	tid = caught = finished = 0;
	pthread_create(&thread, NULL, read_one, timed ? &timed : NULL);
	while (!tid)
		sched_yield();
	thread_await_sleep(tid);
	for (int i = 0; i < 50 && !finished; i++) {
		int before = caught;

		pthread_kill(thread, SIGUSR1);
		while (caught == before)
			sched_yield();
		thread_await_sleep(tid);
	}
	event_put(id, 9);
	pthread_join(thread, &err);
	ok(err == NULL && ev.word == 9, "[getnext_event.26] %s: %d signals",
	   timed ? "timedgetnext" : "getnext", caught);
	is_int(caught, 50, "they were handled");
	while (event_next(trid, &ev))
		;
}

int main(void)
{
	struct sigaction action = {.sa_handler = count, .sa_flags = SA_RESTART};

#ifdef SYS_futex_waitv
	if (syscall(SYS_futex_waitv, NULL, 0, 0, NULL, 0) < 0 &&
	    (errno == ENOSYS || errno == EPERM))
#endif
		skip_all("no futex_waitv(2): no other sleep is restarted");
	plan(4);
	sigaction(SIGUSR1, &action, NULL);
	id = event_id("an event");
	trid = stream_make(0, NULL);
	stream_only_user(trid);
	stream_start(trid);
	event_find(trid, POSIX_TRACE_START, &ev);
	check(0);
	check(1);
	stream_end(trid);
	return done();
}
