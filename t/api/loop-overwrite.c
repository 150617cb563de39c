/* SPDX-License-Identifier: MIT */
/*
 * POSIX_TRACE_LOOP: the oldest events are overwritten, the newest kept without
 * a gap; OVERFLOW, RESUME and the first survivor are read in this order, and
 * the overrun status is reported once.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <string.h>

#define NR 100000

static int same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

int main(void)
{
	trace_event_id_t id = event_id("an event");
	struct posix_trace_status_info status;
	struct event overflow, resume, ev;
	unsigned long first, next;
	int gaps = 0, kept = 1, lost_again = 0;
	trace_id_t trid;

	plan(15);
	trid = stream_run(0, stream_attr(65536, 64, POSIX_TRACE_LOOP));
	for (unsigned long i = 0; i < NR; i++)
		event_put(id, i);
	posix_trace_get_status(trid, &status);
	is_int(status.posix_stream_status, POSIX_TRACE_RUNNING,
	       "[xsh_status.6] running");
	is_int(status.posix_stream_full_status, POSIX_TRACE_FULL,
	       "[xsh_status.6] full");
	is_int(status.posix_stream_overrun_status, POSIX_TRACE_OVERRUN,
	       "[xsh_status.11] overrun");
	posix_trace_get_status(trid, &status);
	is_int(status.posix_stream_overrun_status, POSIX_TRACE_NO_OVERRUN,
	       "[get_status.4] [xsh_status.14] but once");

	memset(&ev, 0, sizeof(ev));
	ok(event_next(trid, &overflow), "first");
	is_int(overflow.info.posix_event_id, POSIX_TRACE_OVERFLOW,
	       "[xsh_events.7] OVERFLOW");
	is_int((long long)overflow.size, 0, "[xsh_events.7] without data");
	ok(event_next(trid, &resume), "second");
	is_int(resume.info.posix_event_id, POSIX_TRACE_RESUME,
	       "[xsh_events.9] RESUME");
	ok(event_next(trid, &ev) && ev.info.posix_event_id == id, "an event");
	ok(same_time(&resume.info.posix_timestamp, &ev.info.posix_timestamp),
	   "[xsh_events.10] RESUME has its time");
	first = next = ev.word;
	while (event_next(trid, &ev)) {
		lost_again += ev.info.posix_event_id == POSIX_TRACE_OVERFLOW;
		if (ev.info.posix_event_id != id)
			continue;
		gaps += ev.word != ++next;
		kept++;
	}
	is_int(gaps, 0, "[streampolicy.1] no gap from there");
	is_int((long long)next, NR - 1, "[streampolicy.1] to the newest");
	is_int(lost_again, 0, "no other loss is told");
	ok(kept >= 65536 / 80 && first > 0, "%d of them kept", kept);
	stream_end(trid);
	return done();
}
