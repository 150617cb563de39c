/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_getnext_event, _timedgetnext_event: as all functions that wait,
 * they go on waiting after a handler with SA_RESTART.
 */
#include "t/lib/reader.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>

static trace_event_id_t id;
static trace_id_t trid;
static _Atomic int caught;

static void count(int sig)
{
	(void)sig;
	caught++;
}

static void check(int timed)
{
	struct reader r;

	caught = 0;
	reader_begin(&r, trid, timed);
	for (int i = 0; i < 50 && !r.finished; i++) {
		int before = caught;

		pthread_kill(r.thread, SIGUSR1);
		while (caught == before)
			sched_yield();
		thread_await_sleep(r.tid);
	}
	event_put(id, 9);
	ok(reader_got_number(&r, id, 9), "[getnext_event.26] %s: %d signals",
	   timed ? "timedgetnext" : "getnext", caught);
	is_int(caught, 50, "they were handled");
	event_last(trid);
}

int main(void)
{
	struct sigaction action = {.sa_handler = count, .sa_flags = SA_RESTART};
	struct event ev;

#ifdef SYS_futex_waitv
	if (syscall(SYS_futex_waitv, NULL, 0, 0, NULL, 0) < 0 &&
	    (errno == ENOSYS || errno == EPERM))
#endif
		skip_all("no futex_waitv(2): no other sleep is restarted");
	plan(4);
	sigaction(SIGUSR1, &action, NULL);
	id = event_id("an event");
	trid = stream_run(0, NULL);
	event_find(trid, POSIX_TRACE_START, &ev);
	check(0);
	check(1);
	stream_end(trid);
	return done();
}
