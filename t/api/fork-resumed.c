/* SPDX-License-Identifier: MIT */
/*
 * fork: from a handler that records in the child, after each single instruction
 * of posix_trace_event: what the child records when the call that was
 * interrupted has come to its end is all there, and what the parent does.
 */
#include "t/lib/proc.h"
#include "t/lib/step.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Enough for a chunk and more. */
#define NR 40

static trace_id_t trid;
static trace_event_id_t id, of_handler, after;
static unsigned long data[48];
static size_t size;
static int failed, wrong;

static void put(trace_event_id_t type, size_t bytes)
{
	posix_trace_event(type, data, bytes);
}

static void record(void)
{
	put(id, size);
}

static int at(long n)
{
	if (step_fork(n))
		return 1;
	put(of_handler, 8);
	return 0;
}

static void put_more(void)
{
	for (int i = 0; i < NR; i++)
		put(after, sizeof(data));
}

/* By process: 0 the parent, 1 the child. */
struct seen {
	int id[2], of_handler[2], after[2], other;
};

static void look(struct seen *seen)
{
	struct event ev;

	memset(seen, 0, sizeof(*seen));
	while (event_next(trid, &ev)) {
		int child = ev.info.posix_pid == step_child;

		if (ev.word != data[0])
			seen->other++;
		else if (ev.info.posix_event_id == id)
			seen->id[child]++;
		else if (ev.info.posix_event_id == of_handler)
			seen->of_handler[child]++;
		else if (ev.info.posix_event_id == after)
			seen->after[child]++;
	}
}

/* The call was the parent's, before there was a child: that may tell of it,
 * too.  All the rest is there, and nothing is to be counted. */
static void check(long n)
{
	struct posix_trace_info_np info;
	struct seen s;

	look(&s);
	posix_trace_get_info_np(trid, &info);
	if (s.id[0] == 1 && s.id[1] <= 1 && s.of_handler[0] == 1 &&
	    s.of_handler[1] == 1 && s.after[0] == NR && s.after[1] == NR &&
	    info.lost == 0)
		return;
	if (wrong++ < 5)
		diag("after %ld: %d and %d, handlers' %d and %d, then %d and "
		     "%d, lost %lld",
		     n, s.id[0], s.id[1], s.of_handler[0], s.of_handler[1],
		     s.after[0], s.after[1], (long long)info.lost);
}

/* Forks after so many instructions.  0: so many there are not. */
static int one(long n)
{
	data[0]++;
	put(of_handler, 8);
	while (event_count(trid, id))
		;
	step_fork_after(n);
	step_through(record, at);
	if (step_child == 0) {
		put_more();
		_exit(0);
	}
	if (!step_forked(&failed))
		return 0;
	put_more();
	check(n);
	return 1;
}

/* The stack is of a depth of 0 or more; then steps are of `stride'. */
static void test(const char *what, size_t bytes, size_t depth, int stride)
{
	trace_attr_t *attr =
		attr_inherit(stream_attr(1 << 20, 1024, POSIX_TRACE_LOOP));
	int nr = 0;

	posix_trace_attr_setstackdepth_np(attr, depth);
	trid = stream_run(0, attr);
	size = bytes;
	while (one(1 + nr * stride))
		nr++;
	ok(nr > 20, "%s: forked %d times", what, nr);
	is_int(failed, 0, "%s: [event.9] the children go on", what);
	is_int(wrong, 0, "%s: [event.9] all are there, or counted", what);
	failed = wrong = 0;
	stream_end(trid);
}

int main(void)
{
	step_needed();
	no_sanitizer();
	plan(9);
	id = event_id("an event");
	of_handler = event_id("the handler's");
	after = event_id("after");
	test("short", 8, 0, 1);
	test("long", 300, 0, 3);
	test("with its stack", 8, POSIX_TRACE_STACK_MAX_NP, 29);
	return done();
}
