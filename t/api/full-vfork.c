/* SPDX-License-Identifier: MIT */
/*
 * What a child of vfork() records in a stream that is full is lost, and
 * counted, as what any other thread records.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <sys/wait.h>

static unsigned long long lost(trace_id_t trid)
{
	struct posix_trace_info_np info = {.lost = 0};

	posix_trace_get_info_np(trid, &info);
	return info.lost;
}

int main(void)
{
	trace_event_id_t id = event_id("an event");
	unsigned long long before;
	trace_id_t trid;
	pid_t pid;

	plan(2);
	trid = stream_run(
		0, attr_inherit(stream_attr(4096, 8, POSIX_TRACE_UNTIL_FULL)));
	while (lost(trid) == 0)
		event_put(id, 1);
	before = lost(trid);
	pid = vfork();
	if (pid == 0) {
		event_put(id, 2);
		event_put(id, 2);
		event_put(id, 2);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	is_int((int)(lost(trid) - before), 3, "the child's events are lost");
	event_put(id, 1);
	is_int((int)(lost(trid) - before), 4, "and the parent's");
	return done();
}
