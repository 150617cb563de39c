/* SPDX-License-Identifier: MIT */
/*
 * A stack that is cut since all memory to unwind on is in use is counted, and
 * the event has what was found of it.
 */
#include "core/record/slots.h"
#include "core/unwind/scratch.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#define NOINLINE __attribute__((noinline, noclone))
#define ALL 64

static trace_id_t trid;
static trace_event_id_t id;

static NOINLINE void record(int depth)
{
	if (depth > 0)
		record(depth - 1);
	else
		event_put(id, 0);
	__asm__ volatile("");
}

/* An event's; how many addresses there are. */
static size_t frames(void)
{
	void *stack[POSIX_TRACE_STACK_MAX_NP];
	struct event ev;
	size_t nr = 0;

	record(5);
	if (event_find(trid, id, &ev))
		posix_trace_get_stack_np(trid, stack, POSIX_TRACE_STACK_MAX_NP,
					 &nr);
	return nr;
}

static unsigned long long nr_cut(void)
{
	struct posix_trace_info_np info;

	posix_trace_get_info_np(trid, &info);
	return info.stacks_cut;
}

int main(void)
{
	struct ptl_aside *aside[ALL];
	struct posix_trace_info_np info;
	trace_attr_t *attr = stream_attr(1 << 16, 64, POSIX_TRACE_LOOP);
	unsigned long long before;
	struct ptl_desk *own;
	int nr = 0;

	plan(8);
	id = event_id("an event");
	posix_trace_attr_setstackdepth_np(attr, POSIX_TRACE_STACK_MAX_NP);
	trid = stream_run(0, attr);
	while (nr < ALL && (aside[nr] = ptl_aside_take()))
		nr++;
	is_int(nr, ALL, "so much memory there is");
	ok(!ptl_aside_take(), "and no more");
#if defined(__x86_64__)
	ok(frames() < 6, "where rules are not known the stack is cut");
	is_int((long)nr_cut(), 1, "counted");
#else
	skip(2, "rules are not looked for");
#endif
	own = ptl_desk_take(ptl_slot_mine()->desk);
	is_int((long)frames(), 1, "where nothing is free it is the caller");
	before = nr_cut();
	ok(before > 0, "counted");
	ptl_desk_put(own);
	while (nr > 0)
		ptl_aside_put(aside[--nr]);
	ok(frames() > 6, "later ones are whole");
	posix_trace_shutdown_np(trid, &info);
	is_int((long)info.stacks_cut, (long)before, "and not counted");
	return done();
}
