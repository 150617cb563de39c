/* SPDX-License-Identifier: MIT */
/*
 * POSIX_TRACE_UNTIL_FULL: with several writers, too, each STOP and START
 * enclose what was recorded: nothing is lost inside, nothing read outside.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#define NR_THREADS 4

static trace_event_id_t id;
static _Atomic int finish;
static int who[NR_THREADS] = { 0, 1, 2, 3 };

static void *record(void *arg)
{
	unsigned long me = (unsigned long)*(int *)arg << 48;

	for (unsigned long i = 1; !finish; i++)
		event_put(id, me | i);
	return NULL;
}

static int before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec < b->tv_sec ||
	       (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

int main(void)
{
	unsigned long last[NR_THREADS] = { 0 };
	int running = 0, outside = 0, stops = 0, gaps = 0, n = 0, late = 0;
	struct timespec since = { 0, 0 };
	int nr_rounds = fewer(40);
	int fresh[NR_THREADS];
	pthread_t thread[NR_THREADS];
	struct event ev;
	trace_id_t trid;

	/* It runs one thread at a time: ours reads one event in the time in
	 * which the others lose thousands. */
	if (under_valgrind())
		skip_all("valgrind: the reader does not get on");
	plan(4);
	id = event_id("an event");
	trid = stream_run(0, stream_attr(65536, 64, POSIX_TRACE_UNTIL_FULL));
	for (int i = 0; i < NR_THREADS; i++)
		pthread_create(&thread[i], NULL, record, &who[i]);
	while (stops < nr_rounds) {
		unsigned long w, number;

		if (!event_next(trid, &ev))
			continue;
		if (ev.info.posix_event_id == id &&
		    before(&ev.info.posix_timestamp, &since)) {
			late++;
			last[ev.word >> 48] = ev.word & 0xffffffffffff;
			continue;
		}
		if (ev.info.posix_event_id == POSIX_TRACE_START) {
			running = 1;
			since = ev.info.posix_timestamp;
			for (int i = 0; i < NR_THREADS; i++)
				fresh[i] = 1;
		} else if (ev.info.posix_event_id == POSIX_TRACE_STOP) {
			running = 0;
			since = ev.info.posix_timestamp;
			stops++;
		}
		if (ev.info.posix_event_id != id)
			continue;
		w = ev.word >> 48;
		number = ev.word & 0xffffffffffff;
		outside += !running;
		gaps += fresh[w] ? number <= last[w] : number != last[w] + 1;
		fresh[w] = 0;
		last[w] = number;
		n++;
		/* Let it become full soon. */
		if (n % 1000 == 0)
			usleep(1000);
	}
	finish = 1;
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(thread[i], NULL);
	is_int(outside, 0, "[xsh_events.15] none outside of START and STOP");
	is_int(gaps, 0, "no thread's events have a gap inside, or go back");
	is_int(late, 0, "none is older than the STOP or START before it");
	is_int(stops, nr_rounds, "[streampolicy.3] many times");
	stream_end(trid);
	return done();
}
