/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_flush: an UNTIL_FULL stream with log is moved to the log when we
 * say so; its space is free again, its events are in the log once and in
 * order, however often it was full.
 */
#include "t/lib/story.h"
#include "t/lib/tap.h"

#define ROUNDS 20

static trace_event_id_t id;

/* Records until it is full; how many did fit. */
static unsigned long fill(trace_id_t trid, unsigned long from)
{
	unsigned long i = from;

	while (status_of(trid).posix_stream_full_status ==
		       POSIX_TRACE_NOT_FULL &&
	       i < from + 100000)
		story_put(id, 0, i++);
	return i;
}

int main(void)
{
	struct posix_trace_status_info status;
	int fd = file_make(), bad = 0, few = 0;
	unsigned long next = 0;
	struct story story;
	trace_id_t trid;

	plan(16);
	id = event_id("an event");
	trid = stream_begin(stream_make_log(
		0, stream_attr(32768, 64, POSIX_TRACE_UNTIL_FULL), fd));
	next = fill(trid, 0);
	status = status_of(trid);
	is_int(status.posix_stream_status, POSIX_TRACE_SUSPENDED,
	       "[streampolicy.2] with log, too, it stops when full");
	is_int(status.posix_stream_full_status, POSIX_TRACE_FULL,
	       "[xsh_status.8] full");
	is_int(posix_trace_flush(trid), 0, "[flush.1] flush");
	status = await_flushed(trid);
	is_int(status.posix_stream_flush_status, POSIX_TRACE_NOT_FLUSHING,
	       "[flush.3] its end is seen");
	is_int(status.posix_stream_flush_error, 0, "[xsh_status.17] no error");
	is_int(status.posix_stream_status, POSIX_TRACE_RUNNING,
	       "[streampolicy.5] it was emptied: it runs");
	is_int(status.posix_stream_full_status, POSIX_TRACE_NOT_FULL,
	       "[flush.5] [streampolicy.4] not full");
	for (int i = 0; i < ROUNDS; i++) {
		unsigned long to = fill(trid, next);

		few += to - next < 32768 / 80;
		next = to;
		bad += posix_trace_flush(trid) != 0;
		await_flushed(trid);
	}
	is_int(bad, 0, "[flush.1] flush, %d times", ROUNDS);
	is_int(few, 0, "[flush.5] all the space each time");
	stream_stop(trid);
	is_int(posix_trace_flush(trid), 0, "[flush.1] flush while stopped");
	is_int(posix_trace_flush(trid), 0, "[flush.1] flush of nothing");
	is_int(posix_trace_shutdown(trid), 0, "shutdown");
	story_log(fd, id, &story);
	/* One event of each round found it full. */
	ok(story.users >= (long)next - ROUNDS - 1 &&
	   story.writer[0].gaps <= ROUNDS + 1,
	   "[shutdown.7] the log has all that fitted");
	is_int(story_disorder(&story), 0, "[flush.12] once and in order");
	is_int(story.outside, 0, "[streampolicy.6] START before each part");
	ok(story.system[POSIX_TRACE_STOP] >= ROUNDS &&
	   story.system[POSIX_TRACE_START] >= ROUNDS,
	   "[streampolicy.3] STOP after each");
	return done();
}
