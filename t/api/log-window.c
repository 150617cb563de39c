/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_set_window_np: the events of a time are given, and few others;
 * what says what events mean is given all the same.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <stdint.h>

#define NR 60000

static struct timespec at(const struct event *ev, long more)
{
	struct timespec time = ev->info.posix_timestamp;

	time.tv_nsec += more;
	if (time.tv_nsec >= 1000000000) {
		time.tv_sec++;
		time.tv_nsec -= 1000000000;
	} else if (time.tv_nsec < 0) {
		time.tv_sec--;
		time.tv_nsec += 1000000000;
	}
	return time;
}

/* The event of that number. */
static void find(trace_id_t log, trace_event_id_t id, unsigned long number,
		 struct event *ev)
{
	posix_trace_rewind(log);
	while (event_find(log, id, ev) && ev->word != number)
		;
}

/* Reads all: how many of the numbers from first to last are missing. */
static int missing(trace_id_t log, trace_event_id_t id, unsigned long first,
		   unsigned long last, int *nr_all, int *nr_system)
{
	unsigned long next = first;
	struct event ev;

	*nr_all = *nr_system = 0;
	posix_trace_rewind(log);
	while (event_next(log, &ev)) {
		++*nr_all;
		*nr_system += ev.info.posix_event_id != id;
		next += ev.info.posix_event_id == id && ev.word == next &&
			next <= last;
	}
	return (int)(last + 1 - next);
}

int main(void)
{
	trace_attr_t *attr = stream_attr(1000000, 64, 0);
	int fd = file_make(), all, system, nr, few;
	struct event first, last, none = {.size = 0};
	struct timespec since, until, bad = {1, 1000000000};
	trace_event_id_t id = event_id("an event");
	trace_id_t trid, log;

	plan(16);
	trid = stream_begin(stream_make_log(0, attr, fd));
	for (unsigned long i = 0; i < NR; i++) {
		event_put(id, i);
		if (i % 1000 == 0)
			posix_trace_flush(trid);
	}
	is_int(posix_trace_set_window_np(trid, NULL, NULL), EINVAL,
	       "of a stream that is recorded");
	is_int(posix_trace_get_counter_time_np(trid, 1, &since), EINVAL,
	       "the time of a counter, of such a stream");
	posix_trace_shutdown(trid);
	log = log_open(fd);
	is_int(missing(log, id, 0, NR - 1, &all, &system), 0, "all of it");
	find(log, id, NR / 2, &first);
	find(log, id, NR / 2 + 700, &last);
	since = first.info.posix_timestamp;
	until = last.info.posix_timestamp;
	is_int(posix_trace_set_window_np(log, &bad, NULL), EINVAL, "no time");
	is_int(posix_trace_set_window_np(log, NULL, &bad), EINVAL, "no time");
	is_int(posix_trace_set_window_np(log, &since, &until), 0, "a window");
	is_int(missing(log, id, NR / 2, NR / 2 + 700, &nr, &few), 0,
	       "all of the window");
	ok(nr < all / 4, "and not much else: %d of %d", nr, all);
	is_int(few, system, "but all system events");
	since = at(&none, -1);
	until = (struct timespec){.tv_sec = INT64_MAX};
	posix_trace_set_window_np(log, &since, &until);
	missing(log, id, 0, NR - 1, &nr, &few);
	is_int(nr, all, "times before and after all");
	posix_trace_set_window_np(log, &until, NULL);
	is_int(missing(log, id, 0, 0, &nr, &few), 1, "none is so late");
	since = at(&first, 0);
	posix_trace_set_window_np(log, NULL, &since);
	is_int(missing(log, id, 0, NR / 2, &nr, &few), 0, "no beginning");
	posix_trace_set_window_np(log, NULL, NULL);
	is_int(missing(log, id, 0, NR - 1, &nr, &few), 0, "no window");
	is_int(posix_trace_get_counter_time_np(log, 1, NULL), EINVAL,
	       "the time of a counter, nowhere");
	is_int(posix_trace_get_counter_time_np(log, UINT64_C(1) << 40, &since),
	       0, "the time of a counter");
	posix_trace_get_counter_time_np(log, UINT64_C(3) << 40, &until);
	ok(until.tv_sec - since.tv_sec > 60, "of a later one: %lld s later",
	   (long long)(until.tv_sec - since.tv_sec));
	posix_trace_close(log);
	return done();
}
