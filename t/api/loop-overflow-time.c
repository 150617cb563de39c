/* SPDX-License-Identifier: MIT */
/*
 * POSIX_TRACE_LOOP: OVERFLOW has the time of the first event overwritten,
 * RESUME that of the event which follows it; round after round.
 */
#include "t/lib/clock.h"
#include "t/lib/story.h"
#include "t/lib/tap.h"

#define ROUNDS 20
#define NR 60000UL

int main(void)
{
	trace_event_id_t id = event_id("an event");
	int order = 0, early = 0, resume = 0, sizes = 0, pairs = 0, gaps = 0;
	struct story story;
	trace_id_t trid;

	plan(7);
	trid = stream_run(0, stream_attr(65536, 64, POSIX_TRACE_LOOP));
	story_read(trid, id, &story);
	for (int i = 0; i < ROUNDS; i++) {
		long long from, to;

		/* Event 0, by itself in time, is the first to be lost. */
		from = clock_later();
		story_put(id, 0, 0);
		to = clock_ns();
		clock_later();
		for (unsigned long n = 1; n < NR; n++)
			story_put(id, 0, n);
		story_read(trid, id, &story);
		pairs += story.system[POSIX_TRACE_OVERFLOW] == 1 &&
			 story.system[POSIX_TRACE_RESUME] == 1;
		order += story.first.info.posix_event_id ==
				 POSIX_TRACE_OVERFLOW &&
			 story.after_resume.info.posix_event_id == id &&
			 story.after_resume.word == story.first_user.word;
		early += event_between(&story.overflow, from, to);
		resume += !time_cmp(&story.resume.info.posix_timestamp,
				    &story.after_resume.info.posix_timestamp);
		sizes += story.overflow.size + story.resume.size != 0;
		gaps += story_gaps(&story) + story_disorder(&story) != 0;
	}
	is_int(pairs, ROUNDS, "[xsh_events.7] [xsh_events.9] one of each");
	is_int(order, ROUNDS, "[xsh_events.10] OVERFLOW, RESUME, first event");
	is_int(early, ROUNDS,
	       "[xsh_events.8] OVERFLOW when the first was lost");
	is_int(resume, ROUNDS, "[xsh_events.10] RESUME when it was good again");
	is_int(sizes, 0, "[xsh_events.7] [xsh_events.9] no data");
	is_int(gaps, 0, "[streampolicy.1] the rest without a gap");
	is_int((long long)story.writer[0].last, NR - 1,
	       "[streampolicy.1] up to the newest");
	stream_end(trid);
	return done();
}
