/* SPDX-License-Identifier: MIT */
/*
 * XSH 2.11.1: a system event that the program caused by calling a function of
 * <trace.h>, or fork(), has the address of that call.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <sys/wait.h>
#include <unistd.h>

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

static NOINLINE pid_t forks(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	return pid;
}

static void of_controller(void)
{
	trace_id_t trid = stream_make(0, NULL);
	trace_event_set_t none;
	struct event ev;

	posix_trace_eventset_empty(&none);
	starts(trid);
	filters(trid, &none);
	stops(trid);
	ok(event_find(trid, POSIX_TRACE_START, &ev), "START");
	ok(called_in(&ev, (size_t)starts),
	   "[xsh_2_11_1_info.5] has the address of the call");
	ok(event_find(trid, POSIX_TRACE_FILTER, &ev), "FILTER");
	ok(called_in(&ev, (size_t)filters),
	   "[xsh_2_11_1_info.5] has the address of the call");
	ok(event_find(trid, POSIX_TRACE_STOP, &ev), "STOP");
	ok(called_in(&ev, (size_t)stops),
	   "[xsh_2_11_1_info.5] has the address of the call");
	stream_end(trid);
}

static void of_traced(void)
{
	trace_id_t trid =
		stream_make(0, attr_inherit(stream_attr(0, 0, 0)));
	struct event ev;

	stream_start(trid);
	waitpid(forks(), NULL, 0);
	ok(event_find_name(trid, "process:fork", &ev), "process:fork");
	ok(called_in(&ev, (size_t)forks),
	   "[xsh_2_11_1_info.5] has the address of the call");
	stream_end(trid);
}

int main(void)
{
	plan(8);
	of_controller();
	of_traced();
	return done();
}
