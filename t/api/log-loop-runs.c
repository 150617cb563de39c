/* SPDX-License-Identifier: MIT */
/*
 * log-full-policy POSIX_TRACE_LOOP: the log keeps the newest events without a
 * gap, the oldest are gone, the file stays small; with each stream policy, one
 * or many writers, and logs of a few KiB to a MiB.
 */
#include "t/lib/logrun.h"
#include "t/lib/tap.h"

static long kept_least(const struct logrun *run)
{
	return run->log_size < 65536 ? 1 :
				       (long)run->log_size / 2 / LOGRUN_RECORD;
}

/* A writer of whom something is there has his newest there, and not all. */
static int wrong_writers(const struct logrun *run)
{
	unsigned long last = run->rounds * run->per_round - 1;
	int n = 0;

	for (int i = 0; i < run->nr_writers; i++) {
		const struct story_writer *writer = &run->story.writer[i];

		if (writer->nr == 0 && run->log_size < 65536)
			continue;
		if (writer->first > 0 && writer->last == last)
			continue;
		n++;
		diag("writer %d: %ld events, %lu to %lu", i, writer->nr,
		     writer->first, writer->last);
	}
	return n;
}

/* Ten tests. */
static void look(const struct logrun *run)
{
	const struct story *story = &run->story;

	is_int(run->err, 0, "[logpolicy.11] %s", logrun_name(run));
	is_int(wrong_writers(run), 0,
	       "[logpolicy.1] [flush.7] the oldest gone, the newest there");
	is_int(story_gaps(story), 0, "[logpolicy.2] without a gap");
	is_int(story_disorder(story), 0, "in order");
	ok(story->users >= kept_least(run), "[logpolicy.2] %ld events kept",
	   story->users);
	ok(run->file_size <= (long)run->log_size + LOGRUN_OVERHEAD,
	   "[logpolicy.9] [logpolicy.10] a file of %ld bytes", run->file_size);
	is_int(story->status.posix_log_full_status, POSIX_TRACE_FULL,
	       "[xsh_status.22] it is full");
	is_int(story->status.posix_log_overrun_status, POSIX_TRACE_OVERRUN,
	       "[xsh_status.21] it overwrote");
	ok(story->first.info.posix_event_id == POSIX_TRACE_OVERFLOW &&
	   story->system[POSIX_TRACE_RESUME] >= 1 &&
	   !time_cmp(&story->resume.info.posix_timestamp,
		     &story->after_resume.info.posix_timestamp) &&
	   time_cmp(&story->overflow.info.posix_timestamp,
		    &story->resume.info.posix_timestamp) <= 0,
	   "[xsh_events.8] [xsh_events.10] OVERFLOW, RESUME, first event");
	ok(story->last.info.posix_event_id == POSIX_TRACE_STOP &&
	   story->last.number == 0, "[shutdown.1] the last is STOP, asked for");
}

int main(void)
{
	trace_event_id_t id;
	struct logrun run = { .log_policy = POSIX_TRACE_LOOP };

	plan(270);
	posix_trace_eventid_open("an event", &id);
	logrun_sizes(&run, id, look);
	return done();
}
