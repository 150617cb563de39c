/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_attr_getmaxusereventsize: the events of eight threads, one after
 * the other or all at once, are recorded without loss, too, if their maximum
 * sizes sum up to stream-min-size.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#define NR_THREADS 8

static trace_event_id_t id;
static int per_thread;
static size_t size;

static void *record(void *arg)
{
	static unsigned char data[4096];

	(void)arg;
	for (int i = 0; i < per_thread; i++)
		posix_trace_event(id, data, size);
	return NULL;
}

static void try_size(size_t stream, size_t data_size, int policy, int at_once)
{
	trace_attr_t *attr = stream_attr(stream, data_size, policy);
	trace_id_t trid = stream_make(0, attr);
	pthread_t thread[NR_THREADS];
	size_t need;

	posix_trace_attr_getmaxusereventsize(attr, data_size, &need);
	per_thread = (int)(stream / need / NR_THREADS);
	size = data_size;
	stream_begin(trid);
	for (int i = 0; i < NR_THREADS; i++) {
		pthread_create(&thread[i], NULL, record, NULL);
		if (!at_once)
			pthread_join(thread[i], NULL);
	}
	for (int i = 0; at_once && i < NR_THREADS; i++)
		pthread_join(thread[i], NULL);
	is_int(event_count(trid, id), per_thread * NR_THREADS,
	       "[attr_getmaxusereventsize.4] %zu bytes, events of %zu, "
	       "policy %d, %s", stream, data_size, policy,
	       at_once ? "at once" : "in turn");
	stream_end(trid);
}

int main(void)
{
	plan(16);
	id = event_id("an event");
	for (int n = 0; n < 4; n++) {
		int policy = n & 1 ? POSIX_TRACE_UNTIL_FULL : POSIX_TRACE_LOOP;

		try_size(20000, 8, policy, n & 2);
		try_size(100000, 4000, policy, n & 2);
		try_size(1000000, 4000, policy, n & 2);
		try_size(1000000, 33, policy, n & 2);
	}
	return done();
}
