/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_flush: EFBIG while a log of policy LOOP or UNTIL_FULL is being
 * written is reported, and when the cause is gone the log is as the policy
 * says.
 */
#include "t/lib/logrun.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#define LOG_SIZE (1 << 18)
#define NR 12000UL

static trace_event_id_t id;

static void record(trace_id_t trid, unsigned long from, unsigned long to,
		   int *told)
{
	for (unsigned long i = from; i < to; i++) {
		story_put(id, 0, i);
		if (i % 200)
			continue;
		*told += posix_trace_flush(trid) == EFBIG;
		*told += await_flushed(trid).posix_stream_flush_error == EFBIG;
	}
}

/* Six tests. */
static void check(int log_policy, unsigned long from, const char *name)
{
	trace_attr_t *attr = story_attr(4 << 20, POSIX_TRACE_UNTIL_FULL,
					LOG_SIZE, log_policy);
	int fd = file_make(), told = 0, early = 0, late = 0;
	struct story story;
	trace_id_t trid = 0;

	trid = stream_run_log(attr, fd);
	record(trid, 0, from, &early);
	file_limit(file_size(fd) + 3000);
	record(trid, from, from + 2000, &told);
	file_limit(RLIM_INFINITY);
	record(trid, from + 2000, NR, &late);
	is_int(early + late, 0, "[xsh_status.17] %s, after %lu: no error "
	       "before or after", name, from);
	/* A ring that went round needs no more room. */
	ok(told > 0 || from > 8000, "[flush.10] the error is told %d times",
	   told);
	is_int(posix_trace_shutdown(trid), 0, "[flush.13] shutdown");
	is_int(story_log(fd, id, &story), 0, "[shutdown.11] a log");
	is_int(story_gaps(&story) + story_disorder(&story), 0,
	       "[flush.12] [flush.13] no gap, none twice: %lu to %lu",
	       story.writer[0].first, story.writer[0].last);
	if (log_policy == POSIX_TRACE_LOOP)
		ok(story.users > 0 && story.writer[0].last == NR - 1,
		   "[logpolicy.2] the newest are there");
	else
		ok(story.users > 0 && story.writer[0].first == 0,
		   "[logpolicy.3] those from the first on are there");
	close(fd);
}

int main(void)
{
	plan(48);
	id = event_id("an event");
	signal(SIGXFSZ, SIG_DFL);
	for (int i = 0; i < 2; i++) {
		int policy = i ? POSIX_TRACE_UNTIL_FULL : POSIX_TRACE_LOOP;
		const char *name = i ? "UNTIL_FULL" : "LOOP";

		check(policy, 1, name);
		check(policy, 700, name);
		check(policy, 1000, name);
		check(policy, 2000, name);
	}
	return done();
}
