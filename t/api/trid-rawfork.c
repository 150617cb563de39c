/* SPDX-License-Identifier: MIT */
/*
 * fork: the child never controls its parent's streams, also if no wrapper saw
 * the fork and the child has recorded an event before it tries.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <sys/syscall.h>
#include <sys/wait.h>

int main(void)
{
	struct posix_trace_status_info status;
	trace_event_id_t id = event_id("an event");
	trace_id_t trid;
	int result = 0;
	pid_t pid;

	plan(4);
	trid = stream_make(0, attr_inherit(stream_attr(0, 0, 0)));
	stream_start(trid);
	event_put(id, 1);
	pid = (pid_t)syscall(SYS_fork);
	if (pid == 0) {
		event_put(id, 2);
		_exit(posix_trace_stop(trid) == EINVAL ? 0 : 1);
	}
	is_int(waitpid(pid, &result, 0), pid, "the child has ended");
	is_int(result, 0, "and could not stop the stream");
	posix_trace_get_status(trid, &status);
	is_int(status.posix_stream_status, POSIX_TRACE_RUNNING, "it runs");
	is_int(event_count(trid, id), 2, "and has both events");
	stream_end(trid);
	return done();
}
