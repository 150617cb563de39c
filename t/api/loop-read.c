/* SPDX-License-Identifier: MIT */
/*
 * POSIX_TRACE_LOOP: a reader that is overtaken by the writer sees no event
 * twice, torn or out of order; at each gap, and nowhere else, OVERFLOW and
 * RESUME, the latter right before the first event that survived and with its
 * time, the former with one between that of the last event read and this.
 */
#include "t/lib/clock.h"
#include "t/lib/tap.h"

#include <sched.h>

#define NR 300000UL
#define AHEAD 6000

static trace_event_id_t id;
static _Atomic int finished;
static _Atomic unsigned long last_read;

static void *record(void *arg)
{
	unsigned long data[5];

	(void)arg;
	for (unsigned long i = 1; i <= NR; i++) {
		/* Overtakes the reader again and again, but not for good. */
		while (i > last_read + AHEAD)
			sched_yield();
		for (int n = 0; n < 5; n++)
			data[n] = i * (unsigned long)(n + 1);
		posix_trace_event(id, data, 8 + i % 5 * 8);
	}
	finished = 1;
	return NULL;
}

static int torn(const struct event *ev)
{
	const unsigned long *data = (const void *)ev->data;

	if (ev->size != 8 + data[0] % 5 * 8)
		return 1;
	for (unsigned long n = 0; n < ev->size / 8; n++)
		if (data[n] != data[0] * (n + 1))
			return 1;
	return 0;
}

static int bad, back, untold, needless, misplaced, mistimed, gaps;

static void check(const struct event *ev)
{
	static trace_event_id_t before;
	static unsigned long last;
	static long long overflow, resume, last_time;
	trace_event_id_t type = ev->info.posix_event_id;
	int told = before == POSIX_TRACE_RESUME;

	mistimed += event_ns(ev) < last_time;
	last_time = event_ns(ev);
	if (type == POSIX_TRACE_OVERFLOW) {
		gaps++;
		overflow = event_ns(ev);
		misplaced += before == POSIX_TRACE_RESUME;
	} else if (type == POSIX_TRACE_RESUME) {
		resume = event_ns(ev);
		misplaced += before != POSIX_TRACE_OVERFLOW;
	} else if (type == id) {
		bad += torn(ev);
		back += ev->word <= last;
		untold += ev->word != last + 1 && !told;
		needless += ev->word == last + 1 && told;
		misplaced += before == POSIX_TRACE_OVERFLOW;
		mistimed += told &&
			    (event_ns(ev) != resume || overflow > resume);
		last = ev->word;
	}
	before = type;
}

int main(void)
{
	unsigned long last = 0, read = 0;
	pthread_t thread;
	struct event ev;
	trace_id_t trid;
	int more = 1;

	plan(7);
	id = event_id("an event");
	trid = stream_run(0, stream_attr(32768, 64, POSIX_TRACE_LOOP));
	pthread_create(&thread, NULL, record, NULL);
	for (int again = 1; again || more;) {
		again = !finished;
		more = event_next(trid, &ev);
		if (!more)
			continue;
		check(&ev);
		read++;
		if (ev.info.posix_event_id == id)
			last_read = last = ev.word;
	}
	pthread_join(thread, NULL);
	diag("%lu of %lu read, %d gaps", read, NR, gaps);
	is_int(bad, 0, "none torn");
	is_int(back, 0, "none twice or out of order");
	is_int(untold, 0, "no gap untold");
	is_int(needless, 0, "none told that is none");
	is_int(misplaced, 0, "OVERFLOW, RESUME, the first that survived");
	is_int(mistimed, 0, "with the right times");
	is_int((long long)last, (long long)NR, "the newest was read");
	stream_end(trid);
	return done();
}
