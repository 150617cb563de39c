/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_getnext_event, _timedgetnext_event: EINTR leaves the caller's
 * objects alone; a signal that is ignored, and one whose handler has
 * SA_RESTART, is no interruption; a handler may record the event itself.
 */
#include "t/lib/reader.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

static trace_event_id_t id;
static trace_id_t trid;
static _Atomic int caught;

static void count(int sig)
{
	(void)sig;
	caught++;
}

static void record(int sig)
{
	(void)sig;
	event_put(id, 5);
}

static void handle(void (*handler)(int), int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

	sigaction(SIGUSR1, &action, NULL);
}

/* So often that one of them comes while it sleeps. */
static void disturb(struct reader *r, int times)
{
	for (int i = 0; i < times && !r->finished; i++) {
		pthread_kill(r->thread, SIGUSR1);
		thread_await_sleep(r->tid);
	}
}

static void check(int timed)
{
	const char *name = timed ? "timedgetnext" : "getnext";
	struct reader r;
	struct event ev;

	handle(count, 0);
	reader_begin(&r, trid, timed);
	disturb(&r, 1000);
	is_int(reader_end(&r), EINTR, "[getnext_event.22] %s", name);
	ok(memcmp(&r.ev, &r.before, sizeof(r.ev)) == 0 && r.none == 7,
	   "[getnext_event.23] nothing was written");
	event_put(id, 1);
	ok(event_next(trid, &ev) && ev.word == 1 && !event_next(trid, &ev),
	   "[getnext_event.23] nor read");

	handle(SIG_IGN, 0);
	reader_begin(&r, trid, timed);
	disturb(&r, 20);
	ok(!r.finished, "[getnext_event.22] an ignored signal does not");
	event_put(id, 2);
	ok(reader_got_number(&r, id, 2), "and the event is read");

	handle(record, 0);
	reader_begin(&r, trid, timed);
	pthread_kill(r.thread, SIGUSR1);
	if (reader_end(&r) == EINTR)
		event_next(trid, &r.ev);
	ok((r.err == 0 || r.err == EINTR) && r.ev.word == 5,
	   "the handler's own event is there, once");
	ok(!event_next(trid, &ev), "and no other");
}

static void check_restart(int timed)
{
	struct reader r;

	handle(count, SA_RESTART);
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

static int sleeps_restart(void)
{
#ifdef SYS_futex_waitv
	return syscall(SYS_futex_waitv, NULL, 0, 0, NULL, 0) == 0 ||
	       (errno != ENOSYS && errno != EPERM);
#else
	return 0;
#endif
}

int main(void)
{
	struct event ev;

	plan(18);
	id = event_id("an event");
	trid = stream_run(0, NULL);
	event_find(trid, POSIX_TRACE_START, &ev);
	for (int timed = 0; timed < 2; timed++) {
		check(timed);
		if (sleeps_restart())
			check_restart(timed);
		else
			skip(2, "no futex_waitv(2): no sleep is restarted");
	}
	stream_end(trid);
	return done();
}
