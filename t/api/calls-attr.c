/* SPDX-License-Identifier: MIT */
/*
 * Calls of libc are recorded in a stream that is for them, if its filter lets
 * them, and in no other.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void attribute(void)
{
	trace_attr_t attr;
	int calls = 99;

	posix_trace_attr_init(&attr);
	is_int(posix_trace_attr_getcalls_np(&attr, &calls), 0, "get");
	is_int(calls, 0, "not by default");
	is_int(posix_trace_attr_setcalls_np(&attr, 1), 0, "set");
	posix_trace_attr_getcalls_np(&attr, &calls);
	is_int(calls, 1, "is set");
	is_int(posix_trace_attr_setcalls_np(&attr, 3), EINVAL, "set to 3");
	is_int(posix_trace_attr_setcalls_np(&attr, -1), EINVAL, "set to -1");
	posix_trace_attr_getcalls_np(&attr, &calls);
	is_int(calls, 1, "is as it was");
	is_int(posix_trace_attr_setcalls_np(NULL, 1), EINVAL, "set NULL");
	is_int(posix_trace_attr_getcalls_np(NULL, &calls), EINVAL, "get NULL");
	is_int(posix_trace_attr_getcalls_np(&attr, NULL), EINVAL,
	       "get into NULL");
	posix_trace_attr_destroy(&attr);
	is_int(posix_trace_attr_setcalls_np(&attr, 1), EINVAL,
	       "set, destroyed");
	is_int(posix_trace_attr_getcalls_np(&attr, &calls), EINVAL,
	       "get, destroyed");
}

/* How many of that name are in the stream now. */
static int count(trace_id_t trid, const char *wanted)
{
	struct posix_trace_event_info event;
	char data[256], name[TRACE_EVENT_NAME_MAX + 1];
	int unavailable = 0, nr = 0;
	size_t size;

	for (;;) {
		posix_trace_trygetnext_event(trid, &event, data, sizeof(data),
					     &size, &unavailable);
		if (unavailable)
			return nr;
		posix_trace_eventid_get_name(trid, event.posix_event_id, name);
		nr += strcmp(name, wanted) == 0;
	}
}

int main(void)
{
	trace_event_set_t filter;
	trace_id_t with, without;
	trace_attr_t attr;

	/* They wrap the calls themselves. */
	no_sanitizer();
	if (under_tsan())
		skip_all("not under ThreadSanitizer");
	plan(20);
	attribute();
	posix_trace_attr_init(&attr);
	posix_trace_attr_setcalls_np(&attr, 1);
	is_int(posix_trace_create(0, &attr, &with), 0, "a stream for calls");
	posix_trace_attr_destroy(&attr);
	without = stream_make(0, NULL);
	posix_trace_start(with);
	posix_trace_start(without);
	for (int i = 0; i < 10; i++)
		close(open("/dev/null", O_RDONLY));
	is_int(count(with, "file:open"), 10, "opens are in it");
	is_int(count(without, "file:open"), 0, "and not in another");
	is_int(close(-1), -1, "a call fails");
	is_int(errno, EBADF, "its error is kept");
	is_int(count(with, "file:close"), 1, "it is recorded");
	/* One type, by its number: file:close. */
	posix_trace_eventset_empty(&filter);
	posix_trace_eventset_add(65, &filter);
	posix_trace_set_filter(with, &filter, POSIX_TRACE_SET_EVENTSET);
	close(-1);
	open("", O_RDONLY);
	is_int(count(with, "file:close"), 0, "unless it is filtered");
	close(-1);
	open("", O_RDONLY);
	is_int(count(with, "file:open"), 1, "which others are not");
	return done();
}
