/* SPDX-License-Identifier: MIT */
/*
 * A loss on its way from the stream to its log: it is told though the
 * controller is killed there; and what is lost while a flush is under way
 * leaves no event between OVERFLOW and RESUME.
 */
#include "core/flush/overflow.h"
#include "t/lib/proc.h"
#include "t/lib/step.h"
#include "t/lib/story.h"
#include "t/lib/tap.h"

#include <signal.h>

static trace_event_id_t id;
static trace_id_t trid;
static struct ptl_stream *stream;
static struct ptl_shm_head *head;
static struct ptl_shm_chunk *table;
static unsigned long nr;
static long long *begun; /* a time when little was recorded */

static void make(int policy, int fd)
{
	posix_trace_create_withlog(
		0, story_attr(16384, policy, 0, POSIX_TRACE_APPEND), fd, &trid);
	stream_begin(trid);
	stream = ptl_stream_get(trid, PTL_STREAM_ACTIVE);
	head = stream->map->head;
	table = stream->map->table;
}

static void lose_some(void)
{
	while (!head->lost)
		story_put(id, 0, nr++);
}

/* The part of a flush that takes the loss up. */
static void tell_gap(void)
{
	struct ptl_copy pass = ptl_copy_of(stream, false);

	if (ptl_stream_loops(stream))
		ptl_overflow_take(&pass);
	else
		ptl_overflow_restart(&pass, false);
}

static void copy(void)
{
	struct ptl_copy pass = ptl_copy_of(stream, false);

	ptl_copy_events(&pass);
}

static int kill_there(long n)
{
	(void)n;
	if (head->lost_since == 0)
		raise(SIGKILL);
	return 1;
}

static int flusher(struct proc *self, void *arg)
{
	(void)self;
	make(((int *)arg)[0], ((int *)arg)[1]);
	story_put(id, 0, nr++);
	*begun = clock_later();
	lose_some();
	step_through(tell_gap, kill_there);
	return 0;
}

static void killed(int policy, const char *name)
{
	int args[2] = {policy, file_make()};
	struct story story;
	struct proc p;

	proc_start(&p, flusher, args);
	is_int(proc_wait(&p), 128 + SIGKILL, "%s: killed in a flush", name);
	is_int(story_log(args[1], id, &story), 0, "the log is completed");
	ok(story.system[POSIX_TRACE_OVERFLOW] == 1 &&
		   (policy != POSIX_TRACE_LOOP ||
		    event_ns(&story.overflow) < *begun),
	   "OVERFLOW is told");
}

/* Its first chunk is done. */
static int lose_there(long n)
{
	(void)n;
	if (!(table[0].read & (PTL_READ_TAKEN - 1)))
		return 1;
	lose_some();
	for (unsigned long i = 0; i < 100; i++)
		story_put(id, 0, nr++);
	return 0;
}

static void meanwhile(void)
{
	int between = 0, in_gap = 0, fd = file_make();
	trace_id_t log = 0;
	struct event ev;

	nr = 0;
	make(POSIX_TRACE_LOOP, fd);
	while (!table[head->nr_chunks - 1].seq)
		story_put(id, 0, nr++);
	step_through(copy, lose_there);
	ok(head->lost > 0, "so many are lost: %lu", (unsigned long)head->lost);
	ptl_stream_put(stream);
	posix_trace_shutdown(trid);
	is_int(posix_trace_open(fd, &log), 0, "open");
	while (event_next(log, &ev)) {
		trace_event_id_t type = ev.info.posix_event_id;

		between += in_gap && type == id;
		if (type == POSIX_TRACE_OVERFLOW)
			in_gap = 1;
		if (type == POSIX_TRACE_RESUME)
			in_gap = 0;
	}
	is_int(between, 0, "no event between OVERFLOW and RESUME");
	posix_trace_close(log);
}

int main(void)
{
	step_needed();
	plan(9);
	begun = proc_shared();
	id = event_id("an event");
	killed(POSIX_TRACE_UNTIL_FULL, "UNTIL_FULL");
	killed(POSIX_TRACE_LOOP, "LOOP");
	meanwhile();
	return done();
}
