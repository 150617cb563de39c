/* SPDX-License-Identifier: MIT */
/*
 * Stacks reach the log with their events, thousands of them from two threads,
 * and are the same when it is read again, also in logs that are full.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#define EVENTS 5000
#define NOINLINE __attribute__((noinline, noclone))

static trace_event_id_t odd, even;

/* One more frame for those of odd numbers. */
static NOINLINE void record(trace_event_id_t id, unsigned long number)
{
	event_put(id, number);
	__asm__ volatile("");
}

static NOINLINE void further(unsigned long number)
{
	record(odd, number);
	__asm__ volatile("");
}

static NOINLINE void *thread(void *arg)
{
	for (unsigned long n = 0; n < EVENTS; n++)
		if (n % 2)
			further(n);
		else
			record(even, n);
	return arg;
}

static int inside(void *addr, size_t function)
{
	const size_t all[] = { (size_t)record, (size_t)further, (size_t)thread,
			       0 };

	return addr_in(addr, function, all);
}

/* Whether the last event read has the stack it must have. */
static int good(trace_id_t trid, const struct event *ev)
{
	void *frames[4];
	size_t nr = 0;
	int odd_number;

	if (posix_trace_get_stack_np(trid, frames, 4, &nr) != 0)
		return 0;
	odd_number = ev->word % 2;
	if (ev->info.posix_event_id != odd && ev->info.posix_event_id != even)
		return nr == 0 || frames[0] == ev->info.posix_prog_address;
	return nr == 4 && frames[0] == ev->info.posix_prog_address &&
	       inside(frames[0], (size_t)record) &&
	       inside(frames[1], (size_t)further) == odd_number &&
	       (ev->info.posix_event_id == odd) == odd_number;
}

static void read_all(trace_id_t trid, int at_least, int at_most)
{
	int nr = 0, bad = 0, others = 0;
	struct event ev;

	while (event_next(trid, &ev)) {
		bad += !good(trid, &ev);
		if (ev.info.posix_event_id == odd ||
		    ev.info.posix_event_id == even)
			nr++;
		else
			others++;
	}
	ok(nr >= at_least && nr <= at_most, "%d events", nr);
	ok(others > 0, "others");
	is_int(bad, 0, "each has its stack, or none");
}

/* A log has its own ids. */
static void find_ids(trace_id_t trid)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_event_id_t id;
	int unavailable;

	while (posix_trace_eventtypelist_getnext_id(trid, &id, &unavailable) ==
		       0 &&
	       !unavailable) {
		posix_trace_eventid_get_name(trid, id, name);
		if (name[0] == 'o' && name[1] == 'd')
			odd = id;
		if (name[0] == 'e' && name[1] == 'v')
			even = id;
	}
}

static void run(const char *name, int policy, size_t log_size, int at_least,
		int at_most)
{
	trace_attr_t *attr = stream_attr(8 << 20, 0, 0);
	unsigned int depth = 0;
	int fd = file_make();
	trace_attr_t logged;
	pthread_t other;
	trace_id_t trid;

	odd = event_id("odd");
	even = event_id("even");
	posix_trace_attr_setstackdepth_np(attr, 4);
	posix_trace_attr_setlogfullpolicy(attr, policy);
	posix_trace_attr_setlogsize(attr, log_size);
	is_int(posix_trace_create_withlog(0, attr, fd, &trid), 0, "%s", name);
	stream_start(trid);
	pthread_create(&other, NULL, thread, NULL);
	thread(NULL);
	pthread_join(other, NULL);
	stream_end(trid);

	trid = log_open(fd);
	find_ids(trid);
	is_int(posix_trace_get_attr(trid, &logged), 0, "attributes");
	is_int(posix_trace_attr_getstackdepth_np(&logged, &depth), 0, "depth");
	is_int(depth, 4, "of the log");
	read_all(trid, at_least, at_most);
	posix_trace_rewind(trid);
	read_all(trid, at_least, at_most);
	posix_trace_close(trid);
}

int main(void)
{
	plan(4 * 10);
	run("append", POSIX_TRACE_APPEND, 0, 2 * EVENTS, 2 * EVENTS);
	run("loop, large", POSIX_TRACE_LOOP, 16 << 20, 2 * EVENTS,
	    2 * EVENTS);
	run("loop", POSIX_TRACE_LOOP, 100 << 10, 200, 2 * EVENTS - 1);
	run("until full", POSIX_TRACE_UNTIL_FULL, 100 << 10, 200, 2 * EVENTS - 1);
	return done();
}
