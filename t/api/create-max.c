/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_create: TRACE_SYS_MAX streams and no more: EAGAIN; and again as
 * many as are shut down.
 */
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>

int main(int argc, char **argv)
{
	trace_attr_t *attr = stream_attr(1000, 64, 0);
	trace_id_t trid[TRACE_SYS_MAX], more;
	trace_event_id_t id;
	int n, all = 0;

	(void)argc;
	private_shm(argv);
	plan(5);
	for (n = 0; n < TRACE_SYS_MAX; n++)
		if (posix_trace_create(0, attr, &trid[n]))
			break;
	is_int(n, TRACE_SYS_MAX, "[create.13] so many");
	is_int(posix_trace_create(0, attr, &more), EAGAIN,
	       "[create.15] not one more");
	id = event_id("in all");
	for (int i = 0; i < n; i++)
		stream_start(trid[i]);
	event_put(id, 1);
	for (int i = 0; i < n; i++)
		all += event_count(trid[i], id);
	is_int(all, n, "[create.23] an event is recorded in all of them");
	stream_end(trid[3]);
	is_int(posix_trace_create(0, attr, &more), 0,
	       "[shutdown.2] one for one");
	is_int(posix_trace_create(0, attr, &trid[3]), EAGAIN,
	       "[create.15] not two");
	return done();
}
