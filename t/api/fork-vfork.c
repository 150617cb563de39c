/* SPDX-License-Identifier: MIT */
/*
 * fork: a child of vfork() records under its own pid, its parent afterwards
 * under its own again, and the child shuts nothing down.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <sys/wait.h>

int main(void)
{
	trace_event_id_t id = event_id("an event");
	int status = -1, of_child = 0, parents = 0, strangers = 0;
	struct event ev;
	trace_id_t trid;
	pid_t pid;

	plan(5);
	trid = stream_make(0, attr_inherit(stream_attr(0, 0, 0)));
	stream_start(trid);
	for (int i = 0; i < 50; i++) {
		event_put(id, 1);
		pid = vfork();
		if (pid == 0) {
			event_put(id, 2);
			event_put(id, 2);
			_exit(3);
		}
		event_put(id, 1);
		waitpid(pid, &status, 0);
		while (event_find(trid, id, &ev)) {
			parents += ev.word == 1 &&
				   ev.info.posix_pid == getpid();
			of_child += ev.word == 2 && ev.info.posix_pid == pid;
			strangers += ev.info.posix_pid !=
				     (ev.word == 2 ? pid : getpid());
		}
	}
	is_int(WEXITSTATUS(status), 3, "the child exits");
	is_int(parents, 100, "the parent's events");
	is_int(of_child, 100, "[fork.1] [fork.8] the children's events");
	is_int(strangers, 0, "no other's");
	is_int(posix_trace_shutdown(trid), 0,
	       "[fork.7] the stream is still there");
	return done();
}
