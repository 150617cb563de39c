/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_getnext_event: several threads that read one stream, in all three
 * ways, while two others record: each event is given to one of them, once, and
 * to each in order.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#define NR_READERS 3
#define NR_WRITERS 2
#define NR 20000ul

static trace_event_id_t id, last;
static trace_id_t trid;
static _Atomic unsigned char *times[NR_WRITERS];
static _Atomic unsigned long taken;
static _Atomic int wrong;

static int get(size_t how, struct event *ev, int *none)
{
	struct timespec soon;

	if (how == 0)
		return posix_trace_getnext_event(trid, &ev->info, ev->data,
						 sizeof(ev->data), &ev->size,
						 none);
	if (how == 1)
		return posix_trace_trygetnext_event(trid, &ev->info, ev->data,
						    sizeof(ev->data), &ev->size,
						    none);
	clock_gettime(CLOCK_REALTIME, &soon);
	soon.tv_sec++;
	return posix_trace_timedgetnext_event(trid, &ev->info, ev->data,
					      sizeof(ev->data), &ev->size, none,
					      &soon);
}

static void *read_some(void *arg)
{
	unsigned long before[NR_WRITERS] = {0};
	struct event ev;

	for (;;) {
		int none = 0, err = get((size_t)arg, &ev, &none);
		unsigned long who = ev.word >> 32, n = ev.word & 0xffffffff;

		if (err == ETIMEDOUT || (!err && none))
			continue;
		if (err || ev.info.posix_event_id == last)
			break;
		if (ev.info.posix_event_id != id)
			continue;
		wrong += who >= NR_WRITERS || n > NR || n <= before[who];
		before[who] = n;
		times[who][n]++;
		taken++;
	}
	return NULL;
}

static void *record(void *arg)
{
	unsigned long me = (unsigned long)(size_t)arg;

	for (unsigned long i = 1; i <= NR; i++) {
		event_put(id, me << 32 | i);
		while (i % 1000 == 0 && taken + 20000 < i)
			sched_yield();
	}
	return NULL;
}

int main(void)
{
	pthread_t reader[NR_READERS], writer[NR_WRITERS];
	unsigned long once = 0;

	plan(2);
	id = event_id("an event");
	last = event_id("the last");
	trid = stream_run(0, stream_attr(4 << 20, 8, POSIX_TRACE_UNTIL_FULL));
	for (size_t i = 0; i < NR_WRITERS; i++)
		times[i] = calloc(NR + 1, 1);
	for (size_t i = 0; i < NR_READERS; i++)
		pthread_create(&reader[i], NULL, read_some, (void *)i);
	for (size_t i = 0; i < NR_WRITERS; i++)
		pthread_create(&writer[i], NULL, record, (void *)i);
	for (size_t i = 0; i < NR_WRITERS; i++)
		pthread_join(writer[i], NULL);
	for (size_t i = 0; i < NR_READERS; i++)
		event_put(last, 0);
	for (size_t i = 0; i < NR_READERS; i++)
		pthread_join(reader[i], NULL);
	for (size_t i = 0; i < NR_WRITERS; i++)
		for (unsigned long n = 1; n <= NR; n++)
			once += times[i][n] == 1;
	is_int((long long)once, NR_WRITERS * NR,
	       "[getnext_event.18] [threads.3] each event once");
	is_int(wrong, 0, "[getnext_event.16] each reader's in order");
	stream_end(trid);
	return done();
}
