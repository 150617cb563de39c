/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_get_duration_np: how long a call took, from its timestamp on, in
 * a stream and in a log; of what was not timed, that it is not known.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define WAIT_MS 20
#define WAIT_NS (WAIT_MS * 1000000LL)

static trace_event_id_t user;

static long long ns_of(const struct timespec *time)
{
	return time->tv_sec * 1000000000LL + time->tv_nsec;
}

static long long duration(trace_id_t trid)
{
	long long ns = -2;

	is_int(posix_trace_get_duration_np(trid, &ns), 0, "duration");
	return ns;
}

/* What is found in the stream or log. */
static void look(trace_id_t trid, const char *where)
{
	long long before = 0, took = 0, after = 0;
	struct event ev;
	char name[TRACE_EVENT_NAME_MAX + 1];

	is_int(duration(trid), -1, "%s: nothing was read yet", where);
	while (event_next(trid, &ev)) {
		posix_trace_eventid_get_name(trid, ev.info.posix_event_id,
					     name);
		if (ev.info.posix_event_id == user && !before) {
			before = ns_of(&ev.info.posix_timestamp);
			is_int(duration(trid), -1, "%s: no call", where);
		} else if (ev.info.posix_event_id == user) {
			after = ns_of(&ev.info.posix_timestamp);
		} else if (strcmp(name, "io:poll") == 0) {
			took = duration(trid);
			ok(ns_of(&ev.info.posix_timestamp) >= before,
			   "%s: it begins after what was before", where);
			before = ns_of(&ev.info.posix_timestamp);
			/* Four integers, and no descriptors. */
			is_int((long long)ev.size, 33,
			       "%s: that is none of its data", where);
		}
		if (before && after)
			break;
	}
	ok(took >= WAIT_NS, "%s: %lld ns", where, took);
	ok(before + took <= after, "%s: and ends before what is after", where);
}

static void record(void)
{
	event_put(user, 1);
	poll(NULL, 0, WAIT_MS);
	event_put(user, 2);
}

static trace_attr_t *with_calls(trace_attr_t *attr)
{
	posix_trace_attr_init(attr);
	posix_trace_attr_setcalls_np(attr, 1);
	return attr;
}

int main(void)
{
	int fd = file_make();
	trace_attr_t attr;
	trace_id_t trid;
	long long ns;

	if (under_asan() || under_tsan())
		skip_all("the sanitizer's poll() is not recorded");
	plan(21);
	user = event_id("an event");
	is_int(posix_trace_get_duration_np(12345, &ns), EINVAL, "no stream");
	trid = stream_make(getpid(), with_calls(&attr));
	stream_start(trid);
	is_int(posix_trace_get_duration_np(trid, NULL), EINVAL, "no place");
	record();
	look(trid, "stream");
	stream_end(trid);

	trid = stream_make_log(getpid(), with_calls(&attr), fd);
	stream_start(trid);
	is_int(posix_trace_get_duration_np(trid, &ns), EINVAL,
	       "nothing is read from a stream with log");
	record();
	stream_end(trid);
	trid = log_open(fd);
	look(trid, "log");
	posix_trace_close(trid);
	return done();
}
