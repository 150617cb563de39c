/* SPDX-License-Identifier: MIT */
/*
 * POSIX_TRACE_APPEND: the log has everything, whatever log-max-size says, with
 * each stream policy and one or many writers.
 */
#include "t/lib/logrun.h"
#include "t/lib/tap.h"

/* Four tests. */
static void look(const struct logrun *run)
{
	const struct story *story = &run->story;
	int partial = 0;

	is_int(run->err, 0, "[logpolicy.11] %s", logrun_name(run));
	for (int i = 0; i < run->nr_writers; i++)
		partial += story->writer[i].nr !=
				   (long)(run->rounds * run->per_round) ||
			   story->writer[i].first != 0;
	is_int(partial, 0, "[logpolicy.6] [logpolicy.7] [flush.8] all events");
	is_int(story_gaps(story) + story_disorder(story), 0, "in order");
	ok(story->first.info.posix_event_id == POSIX_TRACE_START &&
	   story->last.info.posix_event_id == POSIX_TRACE_STOP &&
	   story->last.number == 0 && story->outside == 0,
	   "[shutdown.1] from START to STOP");
}

int main(void)
{
	trace_event_id_t id;
	struct logrun run = {
		.log_policy = POSIX_TRACE_APPEND,
		.log_size = 1,
		.rounds = 100,
		.per_round = 200,
		.flush_every = 10,
	};

	plan(36);
	posix_trace_eventid_open("an event", &id);
	logrun_all(&run, id, look);
	return done();
}
