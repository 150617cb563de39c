/* SPDX-License-Identifier: MIT */
/*
 * A controller that is killed at any moment while its full log of policy LOOP
 * or UNTIL_FULL is written, with events of all sizes: the log holds what its
 * policy promises, up to the last event recorded.
 */
#include "t/lib/logrun.h"
#include "t/lib/proc.h"
#include "t/lib/tap.h"

#define LOG_SIZE 131072
#define ROUNDS 24

static trace_event_id_t id;
static int fd, policy, log_policy;
static _Atomic unsigned long *progress;

/* Eight bytes of number, and up to 1500 of more. */
static void put(unsigned long i)
{
	unsigned long data[200] = { i };

	posix_trace_event(id, data, 8 + i * 7919 % 1500);
}

static int controller(struct proc *self, void *arg)
{
	trace_attr_t *attr = story_attr(4 << 20, policy, LOG_SIZE, log_policy);
	trace_id_t trid;

	(void)self;
	(void)arg;
	posix_trace_attr_setmaxdatasize(attr, 2000);
	trid = stream_run_log(attr, fd);
	for (unsigned long i = 0;; i++) {
		put(i);
		*progress = i + 1;
		if (i % 37 == 0)
			posix_trace_flush(trid);
	}
	return 0;
}

struct sum {
	int unreadable, gaps, order, early, late, large, no_stop, not_full;
};

static void look(struct sum *sum, unsigned long recorded)
{
	struct story story;

	if (story_log(fd, id, &story)) {
		sum->unreadable++;
		return;
	}
	sum->gaps += story_gaps(&story) != 0;
	sum->order += story_disorder(&story) != 0;
	sum->large += file_size(fd) > LOG_SIZE + LOGRUN_OVERHEAD;
	sum->not_full += story.status.posix_log_full_status !=
			 POSIX_TRACE_FULL;
	if (log_policy == POSIX_TRACE_LOOP) {
		sum->late += story.users == 0 ||
			     story.writer[0].last + 1 < recorded;
		sum->early += story.writer[0].first == 0;
		sum->no_stop += story.last.info.posix_event_id !=
				POSIX_TRACE_STOP;
	} else {
		sum->early += story.users == 0 || story.writer[0].first != 0;
		sum->late += story.users && story.writer[0].last >= recorded;
		sum->no_stop += story.last.info.posix_event_id !=
					POSIX_TRACE_STOP ||
				story.last.number == 0;
	}
}

/* Eight tests. */
static void check(const char *name)
{
	struct sum sum = { .unreadable = 0 };
	int loop = log_policy == POSIX_TRACE_LOOP;
	unsigned int step = ROUNDS / (unsigned int)fewer(ROUNDS);

	for (unsigned int i = 0; i < ROUNDS; i += step) {
		unsigned long until = 500 + i * 97 + i * i * 13;
		struct proc p;

		fd = file_make();
		*progress = 0;
		proc_start(&p, controller, NULL);
		proc_kill_at(&p, progress, until, 0);
		look(&sum, *progress);
		close(fd);
	}
	is_int(sum.unreadable, 0, "[shutdown.6] [shutdown.11] %s", name);
	is_int(sum.gaps, 0, "[logpolicy.2] [logpolicy.3] without a gap");
	is_int(sum.order, 0, "in order, none twice");
	is_int(sum.early, 0, loop ? "[logpolicy.1] the oldest are gone" :
				    "[logpolicy.3] from the first on");
	is_int(sum.late, 0, loop ? "[logpolicy.2] the last recorded is there" :
				   "[logpolicy.3] none that was not recorded");
	is_int(sum.large, 0, "[logpolicy.9] bounded");
	is_int(sum.no_stop, 0, "[logpolicy.5] [shutdown.1] STOP is the last");
	is_int(sum.not_full, 0, "[xsh_status.22] full");
}

int main(void)
{
	static const int policies[] = { POSIX_TRACE_LOOP,
					POSIX_TRACE_UNTIL_FULL,
					POSIX_TRACE_FLUSH };
	static const char *const names[] = {
		"LOOP, log LOOP",	"LOOP, log UNTIL_FULL",
		"UNTIL_FULL, log LOOP", "UNTIL_FULL, log UNTIL_FULL",
		"FLUSH, log LOOP",	"FLUSH, log UNTIL_FULL",
	};

	plan(48);
	id = event_id("an event");
	progress = proc_shared();
	for (int i = 0; i < 6; i++) {
		policy = policies[i / 2];
		log_policy = i % 2 ? POSIX_TRACE_UNTIL_FULL : POSIX_TRACE_LOOP;
		check(names[i]);
	}
	return done();
}
