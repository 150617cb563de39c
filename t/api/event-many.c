/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event: one event is recorded in as many streams as there may be
 * for one process, each of them read and shut down by itself.
 */
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>

int main(int argc, char **argv)
{
	static trace_id_t trid[TRACE_SYS_MAX];
	int right = 0, after = 0, n;
	trace_event_id_t id;
	trace_id_t more;
	struct event ev;

	(void)argc;
	private_shm(argv);
	plan(6);
	id = event_id("an event");
	for (n = 0; n < TRACE_SYS_MAX; n++) {
		if (posix_trace_create(0, stream_attr(4096, 8, 0), &trid[n]))
			break;
		stream_start(trid[n]);
	}
	is_int(n, TRACE_SYS_MAX, "so many streams");
	is_int(posix_trace_create(0, NULL, &more), EAGAIN, "and no more");
	event_put(id, 4711);
	for (int i = 0; i < n; i++)
		right += event_find(trid[i], id, &ev) && ev.word == 4711;
	is_int(right, n, "[event.2] it is in each");
	for (int i = 0; i < n; i += 2)
		stream_end(trid[i]);
	event_put(id, 4712);
	for (int i = 1; i < n; i += 2)
		after += event_find(trid[i], id, &ev) && ev.word == 4712;
	is_int(after, n / 2, "[event.2] and the next in those that are left");
	for (int i = 0; i < n; i += 2) {
		trid[i] = stream_make(0, stream_attr(4096, 8, 0));
		stream_start(trid[i]);
	}
	event_put(id, 4713);
	right = after = 0;
	for (int i = 0; i < n; i++) {
		right += event_find(trid[i], id, &ev) && ev.word == 4713;
		after += event_find(trid[i], id, &ev);
	}
	is_int(right, n, "[event.2] [exit.9] in old ones and new ones");
	is_int(after, 0, "once");
	for (int i = 0; i < n; i++)
		stream_end(trid[i]);
	return done();
}
