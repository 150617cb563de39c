/* SPDX-License-Identifier: MIT */
/*
 * With a stack depth each user event has the return addresses of its callers,
 * innermost first and no more than that many; others have none.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#define NOINLINE __attribute__((noinline, noclone))
#define DEEP 100

static trace_event_id_t id;
static void *frames[POSIX_TRACE_STACK_MAX_NP + 1];
static size_t nr;

static NOINLINE void innermost(void)
{
	posix_trace_event(id, "x", 1);
	__asm__ volatile("");
}

static NOINLINE void middle(void)
{
	innermost();
	__asm__ volatile("");
}

static NOINLINE void outermost(void)
{
	middle();
	__asm__ volatile("");
}

static NOINLINE void recurse(int depth)
{
	if (depth > 0)
		recurse(depth - 1);
	else
		innermost();
	__asm__ volatile("");
}

static void some(void);
static trace_id_t make(unsigned int depth);

/* Is frame i one of that function? */
static int inside(size_t i, size_t function)
{
	const size_t all[] = { (size_t)innermost, (size_t)middle,
			       (size_t)outermost, (size_t)recurse,
			       (size_t)make,	  (size_t)some,
			       0 };

	return i < nr && addr_in(frames[i], function, all);
}

static NOINLINE trace_id_t make(unsigned int depth)
{
	trace_attr_t attr;
	trace_id_t trid;

	posix_trace_attr_init(&attr);
	is_int(posix_trace_attr_setstackdepth_np(&attr, depth), 0, "depth %u",
	       depth);
	trid = stream_make(0, &attr);
	stream_start(trid);
	return trid;
}

static void get(trace_id_t trid, size_t max)
{
	struct event ev;

	ok(event_find(trid, id, &ev), "the event");
	is_int(ev.size, 1, "its data");
	is_int(ev.data[0], 'x', "as they were");
	nr = 12345;
	is_int(posix_trace_get_stack_np(trid, frames, max, &nr), 0, "stack");
	if (nr > 0 && max > 0)
		ok(frames[0] == ev.info.posix_prog_address,
		   "begins at the call");
}

static NOINLINE void some(void)
{
	trace_id_t trid = make(16);

	outermost();
	get(trid, 16);
	ok(nr > 4 && nr <= 16, "%zu frames", nr);
	ok(inside(0, (size_t)innermost), "innermost");
	ok(inside(1, (size_t)middle), "its caller");
	ok(inside(2, (size_t)outermost), "and its");
	ok(inside(3, (size_t)some), "and its");
	innermost();
	frames[2] = &id;
	get(trid, 2);
	ok(nr > 2 && frames[2] == &id, "no more than fit are written");
	outermost();
	get(trid, 0);
	stream_end(trid);
}

static void cut(void)
{
	trace_id_t trid = make(3);

	outermost();
	recurse(DEEP);
	get(trid, 64);
	is_int(nr, 3, "cut at the depth");
	ok(inside(2, (size_t)outermost), "at its outer end");
	get(trid, 64);
	is_int(nr, 3, "of a deep one too");
	stream_end(trid);
	trid = make(POSIX_TRACE_STACK_MAX_NP);
	recurse(DEEP);
	get(trid, 64);
	is_int(nr, 64, "the most there can be");
	stream_end(trid);
}

int main(void)
{
	plan(42);
	id = event_id("an event");
	some();
	cut();
	return done();
}
