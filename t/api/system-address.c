/* SPDX-License-Identifier: MIT */
/*
 * XSH 2.11.1: a system event that the program caused by calling a
 * function of <trace.h> has the address of that call.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#define NOINLINE __attribute__((noinline, noclone))

static NOINLINE int starts(trace_id_t trid)
{
	int err = posix_trace_start(trid);

	__asm__ volatile("");
	return err;
}

static NOINLINE int filters(trace_id_t trid, const trace_event_set_t *set)
{
	int err = posix_trace_set_filter(trid, set, POSIX_TRACE_SET_EVENTSET);

	__asm__ volatile("");
	return err;
}

static NOINLINE int stops(trace_id_t trid)
{
	int err = posix_trace_stop(trid);

	__asm__ volatile("");
	return err;
}

static int within(const struct event *ev, size_t function)
{
	size_t at = (size_t)ev->info.posix_prog_address;

	if (at <= function || at >= function + 100)
		diag("%#zx is not in %#zx", at, function);
	return at > function && at < function + 100;
}

int main(void)
{
	trace_event_set_t none;
	trace_id_t trid;
	struct event ev;

	plan(6);
	trid = stream_make(0, NULL);
	posix_trace_eventset_empty(&none);
	starts(trid);
	filters(trid, &none);
	stops(trid);
	ok(event_find(trid, POSIX_TRACE_START, &ev), "START");
	ok(within(&ev, (size_t)starts),
	   "[xsh_2_11_1_info.5] has the address of the call");
	ok(event_find(trid, POSIX_TRACE_FILTER, &ev), "FILTER");
	ok(within(&ev, (size_t)filters),
	   "[xsh_2_11_1_info.5] has the address of the call");
	ok(event_find(trid, POSIX_TRACE_STOP, &ev), "STOP");
	ok(within(&ev, (size_t)stops),
	   "[xsh_2_11_1_info.5] has the address of the call");
	stream_end(trid);
	return done();
}
