/* SPDX-License-Identifier: MIT */
/*
 * A controller is killed that had as much to write as its log of policy LOOP
 * can hold, and more in it: of what it recorded each event is either in the
 * log or counted as lost.
 */
#include "t/lib/logrun.h"
#include "t/lib/proc.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <unistd.h>

#define LOG_SIZE (1 << 16)

static trace_event_id_t id;
static int fd;

static void record(unsigned long from, unsigned long to)
{
	for (unsigned long i = from; i < to; i++)
		story_put(id, 0, i);
}

static int controller(struct proc *self, void *arg)
{
	const unsigned long *nr = arg;
	trace_attr_t *attr = story_attr(4 << 20, POSIX_TRACE_UNTIL_FULL,
					LOG_SIZE, POSIX_TRACE_LOOP);
	trace_id_t trid;

	if (posix_trace_create_withlog(0, attr, fd, &trid))
		return 1;
	stream_only_user(trid);
	stream_start(trid);
	record(0, nr[0]);
	if (posix_trace_flush(trid))
		return 1;
	record(nr[0], nr[0] + nr[1]);
	proc_tell(self);
	proc_await(self);
	return 1;
}

/* Four tests. */
static void check(unsigned long flushed, unsigned long more)
{
	unsigned long nr[2] = { flushed, more };
	/* And START, FLUSH_START, FLUSH_STOP, STOP. */
	unsigned long all = flushed + more + 4;
	struct posix_trace_info_np info;
	struct story story;
	struct proc p;
	trace_id_t trid;

	fd = file_make();
	proc_start(&p, controller, nr);
	proc_await(&p);
	proc_kill(&p, SIGKILL);
	is_int(story_log(fd, id, &story), 0, "%lu flushed, %lu not: a log",
	       flushed, more);
	trid = log_open(fd);
	posix_trace_get_info_np(trid, &info);
	/* OVERFLOW and RESUME at its beginning are in no packet. */
	is_int((long long)info.events,
	       story.nr - 2 * story.system[POSIX_TRACE_OVERFLOW],
	       "so many events are in it");
	is_int((long long)(info.events + info.lost), (long long)all,
	       "the others are counted");
	ok(story_gaps(&story) == 0 &&
		   story.writer[0].last == flushed + more - 1,
	   "[logpolicy.2] the newest are there");
	posix_trace_close(trid);
	close(fd);
}

int main(void)
{
	plan(12);
	id = event_id("an event");
	check(1000, 1000);
	check(1500, 4000);
	check(6000, 1200);
	return done();
}
