/* SPDX-License-Identifier: MIT */
/*
 * log-full-policy POSIX_TRACE_UNTIL_FULL: the log has the events from the first
 * on without a gap, cut at one time, then a STOP that nobody asked for; with
 * each stream policy, one or many writers, and logs of a few KiB to a MiB.
 */
#include "t/lib/logrun.h"
#include "t/lib/tap.h"

/* Writers in step with each other were cut at one time, in the middle. */
static int wrong_writers(const struct logrun *run)
{
	unsigned long least = -1ul, most = 0;
	int n = 0;

	for (int i = 0; i < run->nr_writers; i++) {
		const struct story_writer *writer = &run->story.writer[i];
		unsigned long end = writer->nr ? writer->last + 1 : 0;

		n += writer->nr && writer->first != 0;
		least = end < least ? end : least;
		most = end > most ? end : most;
	}
	n += most - least > run->per_round;
	n += most == run->rounds * run->per_round;
	if (n)
		diag("cut between %lu and %lu", least, most);
	return n;
}

/* Nine tests. */
static void look(const struct logrun *run)
{
	const struct story *story = &run->story;

	is_int(run->err, 0, "[logpolicy.11] %s", logrun_name(run));
	is_int(wrong_writers(run), 0,
	       "[logpolicy.3] [flush.6] from the first, cut at one time");
	is_int(story_gaps(story) + story_disorder(story), 0,
	       "[logpolicy.3] without a gap");
	ok(story->users >= (long)run->log_size / 2 / LOGRUN_RECORD ||
	   run->log_size < 65536, "[logpolicy.3] %ld events", story->users);
	ok(run->file_size <= (long)run->log_size + LOGRUN_OVERHEAD,
	   "[logpolicy.9] [logpolicy.10] a file of %ld bytes", run->file_size);
	is_int(story->status.posix_log_full_status, POSIX_TRACE_FULL,
	       "[logpolicy.4] [xsh_status.22] it is full");
	is_int(story->status.posix_log_overrun_status, POSIX_TRACE_OVERRUN,
	       "[xsh_status.21] events were discarded");
	ok(story->first.info.posix_event_id == POSIX_TRACE_START &&
	   story->system[POSIX_TRACE_OVERFLOW] == 0, "START is the first");
	ok(story->last.info.posix_event_id == POSIX_TRACE_STOP &&
	   story->last.size == sizeof(int) && story->last.number != 0,
	   "[logpolicy.5] [xsh_events.5] STOP, not asked for, is the last");
}

int main(void)
{
	trace_event_id_t id;
	struct logrun run = { .log_policy = POSIX_TRACE_UNTIL_FULL };

	plan(243);
	posix_trace_eventid_open("an event", &id);
	logrun_sizes(&run, id, look);
	return done();
}
