/* SPDX-License-Identifier: MIT */
/*
 * fork: from a handler, in the midst of recording with stacks, that records
 * itself in parent and child: both go on with the whole stack of the call.
 */
#include "t/lib/proc.h"
#include "t/lib/step.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))
#define STRIDE 11

static trace_id_t trid;
static trace_event_id_t id, of_child;
static unsigned long number;
static int failed, wrong, nr_both, nr_handlers;

static NOINLINE void record(void)
{
	event_put(id, number);
	__asm__ volatile("");
}

static NOINLINE void further(int depth)
{
	if (depth > 0)
		further(depth - 1);
	else
		event_put(of_child, number);
	__asm__ volatile("");
}

static int at(long n)
{
	if (step_fork(n))
		return 1;
	further(5);
	return 0;
}

/* Those of the call in parent and child are alike, and whole; that of the
 * handler has all of it, too. */
static void check(long after)
{
	void *frames[3][POSIX_TRACE_STACK_MAX_NP];
	size_t nr[3] = {0};
	struct event ev;

	while (event_next(trid, &ev)) {
		int which = ev.info.posix_event_id == of_child ? 2 :
			    ev.info.posix_event_id != id       ? -1 :
			    ev.info.posix_pid == getpid()      ? 0 :
								 1;

		if (which >= 0 && ev.word == number)
			posix_trace_get_stack_np(trid, frames[which],
						 POSIX_TRACE_STACK_MAX_NP,
						 &nr[which]);
	}
	nr_both += nr[1] > 0;
	nr_handlers += nr[2] > nr[0];
	if (nr[0] > 3 &&
	    (nr[1] == 0 || (nr[1] == nr[0] && !memcmp(frames[0], frames[1],
						      nr[0] * sizeof(void *)))))
		return;
	if (wrong++ < 5)
		diag("after %ld: %zu, %zu and %zu frames", after, nr[0], nr[1],
		     nr[2]);
}

/* Forks after so many instructions.  0: so many there are not. */
static int one(long after)
{
	number++;
	event_put(of_child, 0);
	while (event_count(trid, id))
		;
	step_fork_after(after);
	step_through(record, at);
	if (step_child == 0)
		_exit(0);
	if (!step_forked(&failed))
		return 0;
	check(after);
	return 1;
}

int main(void)
{
	trace_attr_t *attr;
	int nr = 0;

	step_needed();
	no_sanitizer();
	plan(5);
	id = event_id("an event");
	of_child = event_id("of the child");
	attr = attr_inherit(stream_attr(1 << 20, 64, POSIX_TRACE_LOOP));
	posix_trace_attr_setstackdepth_np(attr, POSIX_TRACE_STACK_MAX_NP);
	trid = stream_run(0, attr);
	while (one(1 + nr * STRIDE))
		nr++;
	ok(nr > 20, "forked %d times", nr);
	is_int(failed, 0, "[event.9] the children go on");
	is_int(wrong, 0, "the stacks of the call are whole, and alike");
	ok(nr_both > 0, "%d children tell of it, too", nr_both);
	is_int(nr_handlers, nr, "all handlers' have that of the call in them");
	stream_end(trid);
	return done();
}
