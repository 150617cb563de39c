/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_create: a stream on the caller is the caller's, also beside what
 * dead processes left that had its pid, and were there a moment ago.
 */
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <unistd.h>

int main(int argc, char **argv)
{
	trace_event_id_t id;
	trace_id_t trid;

	(void)argc;
	private_shm(argv);
	plan(2);
	id = event_id("an event");
	shm_leave_dead(getpid(), 0);
	trid = stream_make(0, NULL);
	stream_start(trid);
	event_put(id, 1);
	is_int(event_count(trid, id), 1, "what it records is in its stream");
	stream_end(trid);
	trid = stream_make(getpid(), NULL);
	stream_start(trid);
	event_put(id, 1);
	is_int(event_count(trid, id), 1, "by its number, too");
	stream_end(trid);
	shm_clear_dead();
	return done();
}
