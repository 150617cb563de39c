/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event: of a hundred threads at once, more than there are chunks,
 * every event arrives once, in the order of its thread and with its tid.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <string.h>

#define NR_THREADS 100
#define NR_EVENTS 300

static trace_event_id_t id;
static pid_t tids[NR_THREADS];
static pthread_barrier_t begin;

static void *record(void *arg)
{
	unsigned long me = (unsigned long)(size_t)arg;

	tids[me] = gettid();
	pthread_barrier_wait(&begin);
	for (unsigned long i = 0; i < NR_EVENTS; i++)
		event_put(id, me << 32 | i);
	return NULL;
}

static void run(int policy)
{
	unsigned long next[NR_THREADS] = { 0 };
	pthread_t thread[NR_THREADS];
	int n = 0, order = 0, origin = 0;
	struct event ev;
	trace_id_t trid;

	trid = stream_run(0,
			  stream_attr(NR_THREADS * NR_EVENTS * 80, 8, policy));
	for (size_t i = 0; i < NR_THREADS; i++)
		pthread_create(&thread[i], NULL, record, (void *)i);
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(thread[i], NULL);
	while (event_find(trid, id, &ev)) {
		unsigned long who = ev.word >> 32;

		order += (ev.word & 0xffffffff) != next[who]++;
		origin += ev.info.posix_tid_np != tids[who] ||
			  !pthread_equal(ev.info.posix_thread_id, thread[who]);
		n++;
	}
	is_int(n, NR_THREADS * NR_EVENTS, "all are there");
	is_int(order, 0, "in order");
	is_int(origin, 0, "each is its thread's");
	stream_end(trid);
}

int main(void)
{
	plan(6);
	id = event_id("an event");
	pthread_barrier_init(&begin, NULL, NR_THREADS);
	run(POSIX_TRACE_UNTIL_FULL);
	run(POSIX_TRACE_LOOP);
	return done();
}
