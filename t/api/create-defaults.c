/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_create, _create_withlog: what a null pointer means, and an
 * object as posix_trace_attr_init() left it; and the types of a status.
 */
#include "t/lib/story.h"
#include "t/lib/tap.h"

#include <string.h>

#define IS_INT(member) \
	_Generic(((struct posix_trace_status_info *)0)->member, int : 1, \
		 default : 0)

static int stream_policy(trace_id_t trid)
{
	trace_attr_t attr;
	int policy = 0;

	posix_trace_get_attr(trid, &attr);
	posix_trace_attr_getstreamfullpolicy(&attr, &policy);
	return policy;
}

/* Five tests: the attributes that have defaults, against those of init. */
static void is_default(trace_id_t trid, const char *what)
{
	trace_attr_t attr, init;
	char name[TRACE_NAME_MAX + 1] = "x";
	size_t size, size2;
	int value;

	posix_trace_attr_init(&init);
	posix_trace_get_attr(trid, &attr);
	posix_trace_attr_getname(&attr, name);
	is_str(name, "", "[create.2] %s: no name", what);
	posix_trace_attr_getinherited(&attr, &value);
	is_int(value, POSIX_TRACE_CLOSE_FOR_CHILD, "[create.2] not inherited");
	posix_trace_attr_getlogfullpolicy(&attr, &value);
	is_int(value, POSIX_TRACE_LOOP, "[logpolicy.8] log policy LOOP");
	posix_trace_attr_getmaxdatasize(&attr, &size);
	posix_trace_attr_getmaxdatasize(&init, &size2);
	is_int((long long)size, (long long)size2, "[create.2] max-data-size");
	posix_trace_attr_getlogsize(&attr, &size);
	posix_trace_attr_getlogsize(&init, &size2);
	is_int((long long)size, (long long)size2, "[create.2] log-max-size");
}

int main(void)
{
	trace_event_id_t id = event_id("an event");
	trace_id_t trid[4] = { 0 };
	struct event ev;
	int same = 0;

	plan(37);
	ok(IS_INT(posix_stream_status) && IS_INT(posix_stream_full_status) &&
	   IS_INT(posix_stream_overrun_status), "[xsh_status.1] ints");
	ok(IS_INT(posix_stream_flush_status) &&
	   IS_INT(posix_stream_flush_error) &&
	   IS_INT(posix_log_overrun_status) && IS_INT(posix_log_full_status),
	   "[xsh_status.2] ints");
	is_int(posix_trace_create(0, NULL, &trid[0]), 0, "[create.2] NULL");
	is_int(posix_trace_create(0, stream_attr(0, 0, 0), &trid[1]), 0,
	       "[create.2] as initialised");
	is_int(posix_trace_create_withlog(0, NULL, file_make(), &trid[2]), 0,
	       "[create_withlog.1] NULL");
	is_int(posix_trace_create_withlog(0, stream_attr(0, 0, 0), file_make(),
					  &trid[3]), 0,
	       "[create_withlog.1] as initialised");
	for (int i = 0; i < 4; i++)
		for (int n = 0; n < i; n++)
			same += trid[i] == trid[n];
	is_int(same, 0, "[create_withlog.5] [create.7] trids of their own");
	for (int i = 0; i < 2; i++)
		is_int(stream_policy(trid[i]), POSIX_TRACE_LOOP,
		       "[streampolicy.9] LOOP without log");
	for (int i = 2; i < 4; i++)
		is_int(stream_policy(trid[i]), POSIX_TRACE_FLUSH,
		       "[streampolicy.10] FLUSH with log");
	for (int i = 0; i < 4; i++)
		is_default(trid[i], i < 2 ? "without log" : "with log");
	for (int i = 0; i < 4; i++)
		stream_start(trid[i]);
	event_put(id, 1);
	for (int i = 0; i < 2; i++)
		ok(event_find(trid[i], id, &ev) &&
		   ev.info.posix_pid == getpid(),
		   "[create.6] pid 0 is the caller");
	for (int i = 0; i < 4; i++)
		is_int(posix_trace_shutdown(trid[i]), 0, "shutdown");
	return done();
}
