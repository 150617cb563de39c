/* SPDX-License-Identifier: MIT */
/*
 * What a stream loses before it is flushed is told in its log, in its place:
 * LOOP by OVERFLOW, RESUME and the first survivor, UNTIL_FULL by STOP,
 * OVERFLOW, RESUME and START; RESUME has the time of what follows it, OVERFLOW
 * that of the first event lost; without a loss there is none of them.
 */
#include "t/lib/story.h"
#include "t/lib/tap.h"

#include <string.h>

#define ROUNDS 10

static trace_event_id_t id;

struct sum {
	int losses, untold, order, times, needless, gaps;
	long users;
	unsigned long last;
};

static void look(trace_id_t log, int policy, struct sum *sum)
{
	trace_event_id_t before[3] = { 0, 0, 0 };
	struct timespec overflow = { 0, 0 }, resume = { 0, 0 };
	struct timespec stop = { 0, 0 };
	struct event ev;
	int told = 0;

	memset(sum, 0, sizeof(*sum));
	while (event_next(log, &ev)) {
		const struct timespec *t = &ev.info.posix_timestamp;
		trace_event_id_t type = ev.info.posix_event_id;

		if (type == POSIX_TRACE_FLUSH_START ||
		    type == POSIX_TRACE_FLUSH_STOP)
			continue;
		if (type == POSIX_TRACE_STOP)
			stop = *t;
		if (type == POSIX_TRACE_OVERFLOW) {
			sum->losses++;
			overflow = *t;
			sum->order += policy == POSIX_TRACE_UNTIL_FULL &&
				      before[0] != POSIX_TRACE_STOP;
			sum->times += policy == POSIX_TRACE_UNTIL_FULL &&
				      time_cmp(t, &stop) < 0;
		}
		if (type == POSIX_TRACE_RESUME) {
			sum->order += before[0] != POSIX_TRACE_OVERFLOW;
			resume = *t;
			sum->times += time_cmp(&overflow, t) > 0;
			told = 1;
		}
		if (before[0] == POSIX_TRACE_RESUME) {
			sum->times += time_cmp(&resume, t) != 0;
			sum->order += type != (policy == POSIX_TRACE_LOOP ?
						       id :
						       POSIX_TRACE_START);
		}
		if (type == id) {
			int gap = sum->users && ev.word != sum->last + 1;

			sum->gaps += gap;
			sum->untold += gap && !told;
			sum->needless += told && !gap && sum->users;
			sum->users++;
			sum->last = ev.word;
			told = 0;
		}
		before[2] = before[1];
		before[1] = before[0];
		before[0] = type;
	}
}

/* Nine tests. */
static void check(int policy, const char *name)
{
	int fd = file_make(), overruns = 0, few = 0;
	unsigned long next = 0;
	trace_id_t trid, log;
	struct sum sum;

	trid = stream_begin(
		stream_make_log(0, stream_attr(65536, 64, policy), fd));
	for (int i = 0; i < ROUNDS; i++) {
		for (int n = 0; n < 40000; n++)
			event_put(id, next++);
		posix_trace_flush(trid);
		overruns += await_flushed(trid).posix_stream_overrun_status ==
			    POSIX_TRACE_OVERRUN;
		/* And some that fit. */
		for (int n = 0; n < 100; n++)
			event_put(id, next++);
		posix_trace_flush(trid);
		few += await_flushed(trid).posix_stream_overrun_status ==
		       POSIX_TRACE_OVERRUN;
	}
	stream_end(trid);
	log = log_open(fd);
	look(log, policy, &sum);
	posix_trace_close(log);
	is_int(overruns, ROUNDS, policy == POSIX_TRACE_LOOP ?
					 "[xsh_status.11] %s: overrun" :
					 "[xsh_status.12] %s: overrun", name);
	is_int(few, 0, "[xsh_status.14] none where all fitted");
	is_int(sum.losses, ROUNDS, "[xsh_events.7] OVERFLOW for each loss");
	is_int(sum.untold, 0, "[xsh_events.7] [xsh_events.9] no gap untold");
	is_int(sum.needless, 0, "[xsh_events.7] nothing told that was not");
	is_int(sum.order, 0, "[xsh_events.10] in this order");
	is_int(sum.times, 0, "[xsh_events.8] [xsh_events.10] their times");
	ok(sum.users >= ROUNDS * 65536 / 80, "[streampolicy.4] %ld events",
	   sum.users);
	is_int((long long)sum.last, (long long)next - 1,
	       "[flush.5] up to the newest");
}

/* Shut down before it was flushed: two tests. */
static void ends_full(void)
{
	trace_event_id_t last = 0, before = 0;
	struct event ev;
	trace_id_t trid, log;
	int fd = file_make(), reason = -1;

	trid = stream_make_log(0, stream_attr(65536, 64, POSIX_TRACE_UNTIL_FULL),
			       fd);
	stream_only_user(trid);
	stream_start(trid);
	for (int n = 0; n < 40000; n++)
		event_put(id, 0);
	stream_end(trid);
	log = log_open(fd);
	while (event_next(log, &ev)) {
		before = last;
		last = ev.info.posix_event_id;
		if (last == POSIX_TRACE_STOP)
			memcpy(&reason, ev.data, sizeof(reason));
	}
	posix_trace_close(log);
	is_int(reason, 1, "[streampolicy.3] STOP by itself, not restarted");
	ok(before == POSIX_TRACE_STOP && last == POSIX_TRACE_OVERFLOW,
	   "[xsh_events.7] and then OVERFLOW end the log");
}

int main(void)
{
	plan(20);
	id = event_id("an event");
	check(POSIX_TRACE_LOOP, "LOOP");
	check(POSIX_TRACE_UNTIL_FULL, "UNTIL_FULL");
	ends_full();
	return done();
}
