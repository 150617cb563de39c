/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_start, _stop: an UNTIL_FULL stream that has nearly no space left
 * still tells each start and stop: they alternate, and the last one is what the
 * status says.
 */
#include "t/lib/story.h"
#include "t/lib/tap.h"

static trace_event_id_t id;

static trace_id_t make(void)
{
	trace_id_t trid =
		stream_run(0, stream_attr(16384, 64, POSIX_TRACE_UNTIL_FULL));

	return trid;
}

static unsigned long capacity(void)
{
	trace_id_t trid = make();
	struct story story;
	unsigned long i = 0;

	while (status_of(trid).posix_stream_full_status ==
	       POSIX_TRACE_NOT_FULL)
		story_put(id, 0, i++);
	story_read(trid, id, &story);
	stream_end(trid);
	return (unsigned long)story.users;
}

/* Two STARTs or two STOPs in a row; and *ends what the last one says. */
static int repeated(trace_id_t trid, int *ends)
{
	struct event ev;
	int n = 0, running = 0;

	while (event_next(trid, &ev)) {
		if (ev.info.posix_event_id == POSIX_TRACE_START) {
			n += running;
			running = 1;
		} else if (ev.info.posix_event_id == POSIX_TRACE_STOP) {
			n += !running;
			running = 0;
		} else if (ev.info.posix_event_id == id) {
			n += !running;
		}
	}
	*ends = running;
	return n;
}

int main(void)
{
	int wrong = 0, wrong_end = 0, ends;
	unsigned long room;

	plan(3);
	id = event_id("an event");
	room = capacity();
	ok(room > 100, "room for %lu events", room);
	for (unsigned long less = 0; less < 40; less++) {
		trace_id_t trid = make();

		for (unsigned long i = 0; i + less < room; i++)
			story_put(id, 0, i);
		for (int i = 0; i < (less % 8 ? 3 : 300); i++) {
			posix_trace_stop(trid);
			story_put(id, 0, 1UL << 32);
			posix_trace_start(trid);
			story_put(id, 0, 2UL << 32);
		}
		wrong += repeated(trid, &ends);
		wrong_end += ends != (status_of(trid).posix_stream_status ==
				      POSIX_TRACE_RUNNING);
		stream_end(trid);
	}
	is_int(wrong, 0, "[start.2] [stop.2] [xsh_events.15] none is missing");
	is_int(wrong_end, 0, "[start.1] the last one is the status");
	return done();
}
