/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_attr_getmaxusereventsize: no event is lost, either, when the
 * stream is filled and read again and again, by some who are killed, too; when
 * hundreds of threads fill it one after the other; or when forty processes that
 * recorded two each were killed: the rest of their chunks is not lost with
 * them.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>

static const unsigned char data[4096];
static trace_event_id_t id;
static size_t size;

static trace_id_t make(int nr, size_t data_size, int policy)
{
	size = data_size;
	return stream_run_for(nr, size, policy);
}

static void *record(void *arg)
{
	for (int i = *(int *)arg; i > 0; i--)
		posix_trace_event(id, data, size);
	return NULL;
}

static void in_thread(int nr)
{
	pthread_t thread;

	pthread_create(&thread, NULL, record, &nr);
	pthread_join(thread, NULL);
}

static int dies(struct proc *self, void *arg)
{
	record(arg);
	proc_turn(self);
	return 0;
}

static void in_killed(int nr)
{
	struct proc p;

	proc_start(&p, dies, &nr);
	proc_await(&p);
	proc_kill(&p, SIGKILL);
}

static void again(int policy)
{
	trace_id_t trid = make(90, 1000, policy);
	int n = 0, part = 30;

	for (int round = 0; round < 50; round++) {
		record(&part);
		in_thread(part);
		in_killed(part);
		n += event_count(trid, id);
	}
	is_int(n, 50 * 90,
	       "[attr_getmaxusereventsize.3 attr_getmaxusereventsize.4] "
	       "again and again, policy %d", policy);
	stream_end(trid);
}

static void many_threads(int policy)
{
	trace_id_t trid = make(600, 8, policy);

	for (int i = 0; i < 600; i++)
		in_thread(1);
	is_int(event_count(trid, id), 600,
	       "[attr_getmaxusereventsize.4] of 600 threads, policy %d",
	       policy);
	stream_end(trid);
}

static void after_killed(int policy)
{
	trace_id_t trid = make(1000, 100, policy);
	int rest = 1000 - 40 * 2;

	for (int i = 0; i < 40; i++)
		in_killed(2);
	record(&rest);
	is_int(event_count(trid, id), 1000,
	       "[attr_getmaxusereventsize.6] after 40 were killed, policy %d",
	       policy);
	stream_end(trid);
}

int main(void)
{
	plan(6);
	id = event_id("an event");
	again(POSIX_TRACE_LOOP);
	again(POSIX_TRACE_UNTIL_FULL);
	many_threads(POSIX_TRACE_LOOP);
	many_threads(POSIX_TRACE_UNTIL_FULL);
	after_killed(POSIX_TRACE_LOOP);
	after_killed(POSIX_TRACE_UNTIL_FULL);
	return done();
}
