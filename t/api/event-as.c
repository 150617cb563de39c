/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_trid_event_as_np: a controller records an event in the name of
 * another thread, with the time, place and call stack that it says, if the
 * stream runs and does not filter the type.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Types of libptrace-events(7). */
#define CPU_SAMPLE 48
#define CPU_LOST 50
#define FILE_OPEN 64

/* ns: as far as two clocks can be read at once. */
#define CLOCKS_APART 1000000

static const int64_t data[3] = {1, 1, 0};
static void *const frames[] = {(void *)0x1001, (void *)0x2002, (void *)0x3003};

static int record(trace_id_t trid, const struct posix_trace_event_info *event)
{
	return posix_trace_trid_event_as_np(trid, event, data, sizeof(data),
					    frames, 3);
}

/* Nanoseconds from a to b. */
static long long between(const struct timespec *a, const struct timespec *b)
{
	return (b->tv_sec - a->tv_sec) * 1000000000LL + b->tv_nsec - a->tv_nsec;
}

static void check_wrong(trace_id_t trid, struct posix_trace_event_info event)
{
	is_int(posix_trace_trid_event_as_np(trid, NULL, NULL, 0, NULL, 0),
	       EINVAL, "no event");
	is_int(posix_trace_trid_event_as_np(trid, &event, NULL, 1, NULL, 0),
	       EINVAL, "no data");
	is_int(posix_trace_trid_event_as_np(trid, &event, data, 8, NULL, 1),
	       EINVAL, "no frames");
	is_int(posix_trace_trid_event_as_np(trid, &event, data, 8, frames,
					    POSIX_TRACE_STACK_MAX_NP + 1),
	       EINVAL, "too many frames");
	is_int(record(0, &event), EINVAL, "no stream");
	event.posix_event_id = FILE_OPEN;
	is_int(record(trid, &event), EINVAL, "a call of libc");
	event.posix_event_id = 0;
	is_int(record(trid, &event), EINVAL, "no type");
}

int main(void)
{
	const struct timespec moment = {0, 20000000};
	struct posix_trace_event_info event = {
		.posix_event_id = CPU_SAMPLE,
		.posix_pid = 4711,
		.posix_tid_np = 4712,
		.posix_image_np = 3,
		.posix_prog_address = (void *)0x1001,
	};
	trace_id_t trid = stream_make(0, NULL);
	struct timespec before, after;
	void *stack[POSIX_TRACE_STACK_MAX_NP];
	trace_event_set_t set;
	struct event ev;
	size_t nr = 0;

	plan(16);
	clock_gettime(CLOCK_MONOTONIC, &event.posix_timestamp);
	is_int(record(trid, &event), EAGAIN, "not before START");
	stream_start(trid);
	check_wrong(trid, event);
	clock_gettime(CLOCK_REALTIME, &before);
	clock_gettime(CLOCK_MONOTONIC, &event.posix_timestamp);
	clock_gettime(CLOCK_REALTIME, &after);
	/* The call comes later. */
	nanosleep(&moment, NULL);
	is_int(record(trid, &event), 0, "recorded");
	posix_trace_eventset_empty(&set);
	posix_trace_eventset_add(CPU_LOST, &set);
	posix_trace_set_filter(trid, &set, POSIX_TRACE_ADD_EVENTSET);
	event.posix_event_id = CPU_LOST;
	is_int(record(trid, &event), 0, "filtered");
	ok(event_find(trid, CPU_SAMPLE, &ev) && ev.size == sizeof(data) &&
		   memcmp(ev.data, data, sizeof(data)) == 0,
	   "it has its data");
	ok(ev.info.posix_pid == 4711 && ev.info.posix_tid_np == 4712 &&
		   ev.info.posix_image_np == 3,
	   "in another's name");
	ok(ev.info.posix_prog_address == frames[0], "at its place");
	ok(between(&before, &ev.info.posix_timestamp) > -CLOCKS_APART &&
		   between(&ev.info.posix_timestamp, &after) > -CLOCKS_APART,
	   "at its time");
	posix_trace_get_stack_np(trid, stack, POSIX_TRACE_STACK_MAX_NP, &nr);
	ok(nr == 3 && memcmp(stack, frames, sizeof(frames)) == 0,
	   "with its stack");
	ok(!event_find(trid, CPU_LOST, &ev), "not the one filtered");
	return done();
}
