/* SPDX-License-Identifier: MIT */
/*
 * vfork: streams with CLOSE_FOR_CHILD have nothing of the child, be it an event
 * of its own, its exec or its end; INHERITED ones beside them have.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <sys/wait.h>

int main(void)
{
	trace_event_id_t id = event_id("an event");
	trace_attr_t *attr = stream_attr(0, 0, 0);
	int of_child = 0, inherited_child = 0, parents = 0;
	trace_id_t closed, inherited;
	struct event ev;
	pid_t pid;

	no_sanitizer();
	plan(3);
	closed = stream_make(0, attr);
	inherited = stream_make(0, attr_inherit(attr));
	stream_start(closed);
	stream_start(inherited);
	for (int i = 0; i < 2; i++) {
		event_put(id, 1);
		pid = vfork();
		if (pid == 0) {
			event_put(id, 2);
			if (i)
				execl("/bin/true", "true", (char *)NULL);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
		event_put(id, 3);
	}
	while (event_next(closed, &ev)) {
		of_child +=
			ev.info.posix_pid != getpid() && ev.info.posix_pid != 0;
		parents += ev.info.posix_event_id == id &&
			   ev.info.posix_pid == getpid();
	}
	while (event_find(inherited, id, &ev))
		inherited_child += ev.info.posix_pid != getpid();
	is_int(parents, 4, "[fork.7] the parent's events");
	is_int(of_child, 0, "[fork.3] [fork.8] none of the child's");
	is_int(inherited_child, 2, "[fork.1] [fork.8] but where INHERITED");
	stream_end(closed);
	stream_end(inherited);
	return done();
}
