/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_attr_getmaxusereventsize: no event is lost of a hundred threads
 * that have all recorded one before they record the rest in turns, or of one
 * thread alone after the others, if the maximum sizes sum up to
 * stream-min-size.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#define NR_MAX 100

static trace_event_id_t id;
static pthread_barrier_t barrier;
static int nr, events, alone;
static size_t size;

static void *record(void *arg)
{
	static const unsigned char data[4096];
	int is_last = arg == &barrier;

	posix_trace_event(id, data, size);
	pthread_barrier_wait(&barrier);
	for (int i = 1; i < events; i++)
		if (!alone)
			posix_trace_event(id, data, size);
	pthread_barrier_wait(&barrier);
	for (int i = 1; alone && is_last && i < nr * events - nr + 1; i++)
		posix_trace_event(id, data, size);
	pthread_barrier_wait(&barrier);
	return NULL;
}

static void try_size(int nr_events, size_t data_size, int policy)
{
	trace_id_t trid = stream_run_for(nr * nr_events, data_size, policy);
	pthread_t thread[NR_MAX];

	events = nr_events;
	size = data_size;
	for (int i = 0; i < nr; i++)
		pthread_create(&thread[i], NULL, record,
			       i == nr - 1 ? &barrier : NULL);
	for (int i = 0; i < nr; i++)
		pthread_join(thread[i], NULL);
	is_int(event_count(trid, id), nr * events,
	       "[attr_getmaxusereventsize.4] %d of %zu, policy %d%s", events,
	       size, policy, alone ? ", one alone" : "");
	stream_end(trid);
}

int main(void)
{
	plan(16);
	nr = fewer(NR_MAX);
	id = event_id("an event");
	pthread_barrier_init(&barrier, NULL, (unsigned int)nr);
	for (int n = 0; n < 4; n++) {
		int policy = n & 1 ? POSIX_TRACE_UNTIL_FULL : POSIX_TRACE_LOOP;

		alone = n & 2;
		try_size(2, 1, policy);
		try_size(10, 8, policy);
		try_size(50, 200, policy);
		try_size(3, 4000, policy);
	}
	return done();
}
