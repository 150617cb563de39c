/* SPDX-License-Identifier: MIT */
/*
 * A full log of policy LOOP or UNTIL_FULL, however its controller ends: by
 * shutdown, exit, _exit, exec or SIGKILL: what the policy promises holds.
 */
#include "t/lib/logrun.h"
#include "t/lib/proc.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <stdlib.h>

#define LOG_SIZE 65536
#define NR 20000UL

enum how { BY_SHUTDOWN, BY_EXIT, BY__EXIT, BY_EXEC, BY_KILL, NR_HOW };

static const char *const names[] = { "shutdown", "exit", "_exit", "exec",
				     "SIGKILL" };
static trace_event_id_t id;
static int fd, policy, log_policy;

static int controller(struct proc *self, void *arg)
{
	trace_attr_t *attr = story_attr(1 << 20, policy, LOG_SIZE, log_policy);
	trace_id_t trid;

	trid = stream_run_log(attr, fd);
	for (unsigned long i = 0; i < NR; i++) {
		story_put(id, 0, i);
		/* The last ones are not flushed by us. */
		if (i % 500 == 0 && i < NR - 1000)
			posix_trace_flush(trid);
	}
	switch (*(enum how *)arg) {
	case BY_SHUTDOWN:
		return posix_trace_shutdown(trid);
	case BY__EXIT:
		_exit(0);
	case BY_EXEC:
		execl("/bin/true", "true", NULL);
		return 1;
	case BY_KILL:
		proc_turn(self);
		return 1;
	default:
		exit(0);
	}
}

static void loop_log(const struct story *story)
{
	ok(story->writer[0].last == NR - 1 && story->writer[0].first > 0,
	   "[logpolicy.2] [shutdown.6] the newest are there: %lu to %lu",
	   story->writer[0].first, story->writer[0].last);
	is_int(story_gaps(story) + story_disorder(story), 0,
	       "[logpolicy.2] without a gap");
	is_int(story->last.info.posix_event_id, POSIX_TRACE_STOP,
	       "[shutdown.1] STOP is the last");
}

static void full_log(const struct story *story)
{
	ok(story->users > 0 && story->writer[0].first == 0 &&
	   story->writer[0].last < NR - 1,
	   "[logpolicy.3] [shutdown.6] from the first on: %lu to %lu",
	   story->writer[0].first, story->writer[0].last);
	is_int(story_gaps(story) + story_disorder(story), 0,
	       "[logpolicy.3] without a gap");
	ok(story->last.info.posix_event_id == POSIX_TRACE_STOP &&
	   story->last.number != 0, "[logpolicy.5] STOP, not asked for");
}

/* Seven tests. */
static void check(enum how how)
{
	struct story story;
	struct proc p;

	fd = file_make();
	proc_start(&p, controller, &how);
	if (how == BY_KILL) {
		proc_await(&p);
		proc_kill(&p, SIGKILL);
	} else if (proc_wait(&p)) {
		diag("the controller failed");
	}
	is_int(story_log(fd, id, &story), 0, "[shutdown.11] %s, log %s: a log",
	       names[how], log_policy == POSIX_TRACE_LOOP ? "LOOP" :
							    "UNTIL_FULL");
	if (log_policy == POSIX_TRACE_LOOP)
		loop_log(&story);
	else
		full_log(&story);
	is_int(story.status.posix_log_full_status, POSIX_TRACE_FULL,
	       "[xsh_status.22] it is full");
	is_int(story.status.posix_log_overrun_status, POSIX_TRACE_OVERRUN,
	       "[xsh_status.21] it is overrun");
	ok(file_size(fd) <= LOG_SIZE + LOGRUN_OVERHEAD,
	   "[logpolicy.9] bounded: %ld bytes", file_size(fd));
	close(fd);
}

int main(void)
{
	static const int policies[] = { POSIX_TRACE_LOOP,
					POSIX_TRACE_UNTIL_FULL,
					POSIX_TRACE_FLUSH };

	plan(3 * 2 * NR_HOW * 7);
	id = event_id("an event");
	for (int i = 0; i < 3; i++)
		for (int n = 0; n < 2; n++)
			for (enum how how = 0; how < NR_HOW; how++) {
				policy = policies[i];
				log_policy = n ? POSIX_TRACE_UNTIL_FULL :
						 POSIX_TRACE_LOOP;
				check(how);
			}
	return done();
}
