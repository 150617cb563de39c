/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_getnext_event: keeps waiting during a stop, a clear, and the
 * death of the traced process, and takes the first event that comes then; of
 * several threads that wait each takes one.
 */
#include "t/lib/proc.h"
#include "t/lib/reader.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

#define NR_READERS 4

static trace_event_id_t id;
static trace_id_t trid;

/* It has woken up to look around, and sleeps again. */
static int still_waits(struct reader *r)
{
	struct timespec a_while = {.tv_nsec = 60000000};

	nanosleep(&a_while, NULL);
	if (r->finished)
		return 0;
	thread_await_sleep(r->tid);
	return 1;
}

static void check(int timed)
{
	const char *name = timed ? "timedgetnext" : "getnext";
	struct reader r;

	reader_begin(&r, trid, timed);
	ok(still_waits(&r), "[getnext_event.5] %s waits on a suspended stream",
	   name);
	stream_start(trid);
	ok(reader_got(&r, POSIX_TRACE_START), "and is given START");
	reader_begin(&r, trid, timed);
	event_put(id, 1);
	ok(reader_got_number(&r, id, 1),
	   "[getnext_event.5] an event ends the wait");
	stream_stop(trid);
	event_count(trid, id);
	reader_begin(&r, trid, timed);
	posix_trace_clear(trid);
	stream_only_user(trid);
	ok(still_waits(&r), "[getnext_event.5] clear does not");
	stream_start(trid);
	ok(reader_got(&r, POSIX_TRACE_START), "nor harms it");
	stream_stop(trid);
	event_count(trid, id);
}

static int traced(struct proc *self, void *arg)
{
	(void)arg;
	proc_await(self);
	event_put(id, 1);
	proc_await(self);
	return 0;
}

static void check_death(int sig)
{
	struct reader r, all[NR_READERS];
	unsigned long sum = 0;
	struct event ev;
	struct proc p;
	int wrong = 0;

	proc_start(&p, traced, NULL);
	trid = stream_run(p.pid, NULL);
	event_find(trid, POSIX_TRACE_START, &ev);
	reader_begin(&r, trid, 0);
	proc_tell(&p);
	ok(reader_got_number(&r, id, 1),
	   "[getnext_event.5] woken by another process");
	reader_begin(&r, trid, 0);
	if (sig)
		proc_kill(&p, sig);
	else
		proc_wait(&p);
	ok(still_waits(&r), "[getnext_event.5] the traced process's end");
	stream_stop(trid);
	ok(reader_got(&r, POSIX_TRACE_STOP), "its controller can wake it");
	stream_end(trid);

	trid = stream_run(0, NULL);
	event_find(trid, POSIX_TRACE_START, &ev);
	for (int i = 0; i < NR_READERS; i++)
		reader_begin(&all[i], trid, i % 2);
	for (unsigned long i = 0; i < NR_READERS; i++)
		event_put(id, 1ul << 8 * i);
	for (int i = 0; i < NR_READERS; i++) {
		wrong += reader_end(&all[i]) != 0;
		sum += all[i].ev.word;
	}
	ok(!wrong && sum == 0x01010101,
	   "[getnext_event.18] each of %d readers takes one", NR_READERS);
	for (int i = 0; i < NR_READERS; i++)
		reader_begin(&all[i], trid, i % 2);
	stream_end(trid);
	for (int i = 0; i < NR_READERS; i++)
		wrong += reader_end(&all[i]) != EINVAL;
	is_int(wrong, 0, "[getnext_event.24] EINVAL for all who wait");
}

int main(void)
{
	plan(20);
	id = event_id("an event");
	for (int timed = 0; timed < 2; timed++) {
		trid = stream_make(0, NULL);
		stream_only_user(trid);
		check(timed);
		stream_end(trid);
	}
	check_death(0);
	check_death(SIGKILL);
	return done();
}
