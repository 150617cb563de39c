/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event is a macro that is like the function: it evaluates its
 * arguments once, tells the address of the call, also of one in tail position,
 * and sees a stream that comes later, in a fork child too.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#ifndef posix_trace_event
#error "no macro"
#endif

#define NOINLINE __attribute__((noinline, noclone))

static trace_event_id_t id;
static int evaluated[3];

static NOINLINE void tail(void)
{
	posix_trace_event(id, "t", 1);
}

static void each_once(void)
{
	posix_trace_event((evaluated[0]++, id), (evaluated[1]++, "e"),
			  (size_t)(evaluated[2]++, 1));
}

/* The child of any fork is traced once somebody traces it. */
static int traced_later(struct proc *self, void *arg)
{
	struct event ev;
	trace_id_t trid;

	(void)self;
	(void)arg;
	posix_trace_event(id, "n", 1);
	trid = stream_make(0, NULL);
	stream_start(trid);
	posix_trace_event(id, "y", 1);
	if (!event_find(trid, id, &ev) || ev.data[0] != 'y' ||
	    event_find(trid, id, &ev))
		return 1;
	stream_end(trid);
	posix_trace_event(id, "n", 1);
	return 0;
}

int main(void)
{
	struct {
		int a, b;
	} *pair;
	struct event ev;
	struct proc child;
	trace_id_t trid;

	plan(15);
	id = event_id("an event");
	each_once();
	is_int(evaluated[0], 1, "not traced: id evaluated once");
	is_int(evaluated[1], 1, "data once");
	is_int(evaluated[2], 1, "size once");
	proc_start(&child, traced_later, NULL);
	is_int(proc_wait(&child), 0, "a fork child that is traced later");

	trid = stream_make(0, NULL);
	stream_start(trid);
	each_once();
	is_int(evaluated[0], 2, "traced: id evaluated once");
	is_int(evaluated[1], 2, "data once");
	is_int(evaluated[2], 2, "size once");
	ok(event_find(trid, id, &ev), "recorded");
	is_int(ev.size, 1, "with its data");
	tail();
	ok(event_find(trid, id, &ev), "in tail position");
	ok((size_t)ev.info.posix_prog_address - (size_t)tail < 200,
	   "the address is in that function");
	(posix_trace_event)(id, "f", 1);
	ok(event_find(trid, id, &ev), "the function, called");
	posix_trace_event(id, &(struct { int a, b; }){ 3, 4 }, sizeof(*pair));
	ok(event_find(trid, id, &ev), "a compound literal");
	pair = (void *)ev.data;
	ok(pair->a == 3 && pair->b == 4, "whole");
	stream_end(trid);
	posix_trace_event(id, "n", 1);
	proc_start(&child, traced_later, NULL);
	is_int(proc_wait(&child), 0, "a fork child after it has ended");
	return done();
}
