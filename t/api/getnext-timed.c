/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_timedgetnext_event: ETIMEDOUT not before the absolute time, never
 * with an event there; a bad time is EINVAL only if it would wait.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <time.h>

static trace_id_t trid;
static struct event ev;

static int timed(long long sec, long nsec)
{
	struct timespec when = { sec, nsec };
	int none = 1, err;

	err = posix_trace_timedgetnext_event(trid, &ev.info, ev.data,
					     sizeof(ev.data), &ev.size, &none,
					     &when);
	return err ? err : none ? -1 : 0;
}

int main(void)
{
	trace_event_id_t id = event_id("an event");
	struct timespec when, after;
	int none;

	plan(13);
	trid = stream_make(0, NULL);
	stream_only_user(trid);
	clock_gettime(CLOCK_REALTIME, &when);
	when.tv_nsec += 50000000;
	if (when.tv_nsec >= 1000000000) {
		when.tv_nsec -= 1000000000;
		when.tv_sec++;
	}
	is_int(posix_trace_timedgetnext_event(trid, &ev.info, ev.data,
					      sizeof(ev.data), &ev.size, &none,
					      &when), ETIMEDOUT,
	       "[timedgetnext_event.2] in 50 ms");
	clock_gettime(CLOCK_REALTIME, &after);
	ok(after.tv_sec > when.tv_sec || (after.tv_sec == when.tv_sec &&
	   after.tv_nsec >= when.tv_nsec), "[timedgetnext_event.3] not earlier");
	is_int(timed(when.tv_sec, 0), ETIMEDOUT,
	       "[timedgetnext_event.4] in the past");
	is_int(timed(0, 0), ETIMEDOUT, "[timedgetnext_event.4] in 1970");
	is_int(timed(-1, 0), ETIMEDOUT, "before");
	is_int(timed(when.tv_sec + 9, 1000000000), EINVAL,
	       "[timedgetnext_event.7] nsec too large");
	is_int(timed(when.tv_sec + 9, -1), EINVAL,
	       "[timedgetnext_event.7] nsec negative");
	is_int(timed(0, -1), EINVAL, "in the past, too");
	stream_start(trid);
	event_put(id, 1);
	event_put(id, 2);
	event_put(id, 3);
	is_int(timed(0, 0), 0,
	       "[timedgetnext_event.1] [timedgetnext_event.5] START is there");
	is_int(timed(0, -1), 0,
	       "[timedgetnext_event.6] another: no look at the time");
	is_int(timed(0, 1000000000), 0, "nor here");
	is_int(timed(when.tv_sec + 9, 0), 0, "nor here");
	is_int((long long)ev.word, 3, "the last of them");
	stream_end(trid);
	return done();
}
