/* SPDX-License-Identifier: MIT */
/*
 * XSH 2.11.1: a system event that the program caused by calling fork() has the
 * address of that call.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <string.h>
#include <sys/wait.h>

#define NOINLINE __attribute__((noinline, noclone))

static NOINLINE pid_t forks(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	return pid;
}

static int within(const struct event *ev, size_t function)
{
	size_t at = (size_t)ev->info.posix_prog_address;

	if (at <= function || at >= function + 100)
		diag("%#zx is not in %#zx", at, function);
	return at > function && at < function + 100;
}

/* The next event of that name. */
static int find(trace_id_t trid, const char *wanted, struct event *ev)
{
	char name[TRACE_EVENT_NAME_MAX + 1];

	while (event_next(trid, ev)) {
		posix_trace_eventid_get_name(trid, ev->info.posix_event_id,
					     name);
		if (!strcmp(name, wanted))
			return 1;
	}
	return 0;
}

int main(void)
{
	trace_attr_t *attr = stream_attr(0, 0, 0);
	trace_id_t trid;
	struct event ev;
	pid_t pid;

	plan(2);
	posix_trace_attr_setinherited(attr, POSIX_TRACE_INHERITED);
	trid = stream_make(0, attr);
	stream_start(trid);
	pid = forks();
	waitpid(pid, NULL, 0);
	ok(find(trid, "process:fork", &ev), "process:fork");
	ok(within(&ev, (size_t)forks),
	   "[xsh_2_11_1_info.5] has the address of the call");
	stream_end(trid);
	return done();
}
