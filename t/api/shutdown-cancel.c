/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_shutdown, _flush, _create_withlog: a thread whose cancellation
 * is due is not cancelled in them, and the log is complete.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

static trace_attr_t *attr;
static int fd, returned;

static void *live_and_end(void *arg)
{
	trace_event_id_t id = event_id("an event");
	trace_id_t trid;

	(void)arg;
	pthread_cancel(pthread_self());
	trid = stream_make_log(0, attr, fd);
	stream_start(trid);
	event_put(id, 1);
	returned += posix_trace_flush(trid) == 0;
	event_put(id, 2);
	returned += posix_trace_shutdown(trid) == 0;
	pthread_testcancel();
	return NULL;
}

static void check(int policy, const char *name)
{
	pthread_t thread;
	void *result;

	attr = stream_attr(0, 0, policy);
	fd = file_make();
	returned = 0;
	pthread_create(&thread, NULL, live_and_end, NULL);
	pthread_join(thread, &result);
	is_int(returned, 2, "%s: flush and shutdown return", name);
	ok(result == PTHREAD_CANCELED, "cancelled later");
	is_int(log_state(fd), POSIX_TRACE_LOG_COMPLETE_NP, "the log's end");
	is_int(log_count(fd, "an event"), 2, "and its events");
}

int main(void)
{
	no_sanitizer(); /* which does not know of cancelled threads */
	plan(8);
	check(POSIX_TRACE_FLUSH, "FLUSH");
	check(POSIX_TRACE_LOOP, "LOOP");
	return done();
}
