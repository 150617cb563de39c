/* SPDX-License-Identifier: MIT */
/*
 * The stack depth is an attribute like others, 0 at first; where no stack was
 * recorded there is none, and nonsense is EINVAL.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>

static void attribute(void)
{
	unsigned int depth = 99;
	size_t without, with;
	trace_attr_t attr;

	posix_trace_attr_init(&attr);
	is_int(posix_trace_attr_getstackdepth_np(&attr, &depth), 0, "get");
	is_int(depth, 0, "none by default");
	posix_trace_attr_getmaxusereventsize(&attr, 100, &without);
	is_int(posix_trace_attr_setstackdepth_np(&attr, 10), 0, "set");
	posix_trace_attr_getstackdepth_np(&attr, &depth);
	is_int(depth, 10, "is set");
	posix_trace_attr_getmaxusereventsize(&attr, 100, &with);
	ok(with >= without + 10 * sizeof(void *), "events are as much larger");
	is_int(posix_trace_attr_setstackdepth_np(&attr,
						 POSIX_TRACE_STACK_MAX_NP + 1),
	       EINVAL, "too deep");
	posix_trace_attr_getstackdepth_np(&attr, &depth);
	is_int(depth, 10, "is as it was");
	is_int(posix_trace_attr_setstackdepth_np(NULL, 1), EINVAL, "set NULL");
	is_int(posix_trace_attr_getstackdepth_np(NULL, &depth), EINVAL,
	       "get NULL");
	is_int(posix_trace_attr_getstackdepth_np(&attr, NULL), EINVAL,
	       "get into NULL");
	posix_trace_attr_destroy(&attr);
	is_int(posix_trace_attr_setstackdepth_np(&attr, 1), EINVAL,
	       "set, destroyed");
}

static void none(void)
{
	trace_id_t trid = stream_make(0, NULL), logged;
	trace_event_id_t id = event_id("an event");
	struct event ev;
	void *frame;
	size_t nr = 99;

	is_int(posix_trace_get_stack_np(trid, &frame, 1, &nr), 0,
	       "nothing read yet");
	is_int(nr, 0, "no stack");
	stream_start(trid);
	posix_trace_event(id, "x", 1);
	nr = 99;
	ok(event_find(trid, id, &ev), "an event");
	is_int(posix_trace_get_stack_np(trid, &frame, 1, &nr), 0, "its stack");
	is_int(nr, 0, "none was asked for");
	is_int(posix_trace_get_stack_np(trid, NULL, 1, &nr), EINVAL, "NULL");
	is_int(posix_trace_get_stack_np(trid, NULL, 0, &nr), 0, "NULL for none");
	is_int(posix_trace_get_stack_np(trid, &frame, 1, NULL), EINVAL,
	       "NULL for the number");
	stream_end(trid);
	is_int(posix_trace_get_stack_np(trid, &frame, 1, &nr), EINVAL,
	       "no stream any more");
	logged = stream_make_log(0, NULL, file_make());
	is_int(posix_trace_get_stack_np(logged, &frame, 1, &nr), EINVAL,
	       "a stream with log");
	stream_end(logged);
}

/* As many events as there must be room for. */
static void guarantee(void)
{
	trace_event_id_t id = event_id("another");
	const size_t size = 200000;
	unsigned long most, got = 0;
	trace_attr_t *attr = stream_attr(size, 0, POSIX_TRACE_UNTIL_FULL);
	trace_id_t trid;
	struct event ev;
	size_t largest;

	posix_trace_attr_setstackdepth_np(attr, POSIX_TRACE_STACK_MAX_NP);
	posix_trace_attr_getmaxusereventsize(attr, 8, &largest);
	most = size / largest;
	trid = stream_make(0, attr);
	stream_start(trid);
	for (unsigned long n = 0; n < most; n++)
		event_put(id, n);
	while (event_find(trid, id, &ev))
		got++;
	is_int((long long)got, (long long)most, "all are there");
	posix_trace_event(POSIX_TRACE_UNNAMED_USEREVENT, "x", 1);
	ok(event_find(trid, POSIX_TRACE_UNNAMED_USEREVENT, &ev), "unnamed");
	largest = 0;
	posix_trace_get_stack_np(trid, NULL, 0, &largest);
	ok(largest > 1, "has a stack, too");
	stream_end(trid);
}

int main(void)
{
	plan(24);
	attribute();
	none();
	guarantee();
	return done();
}
