/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_eventid_open: one name is one id, other names are others, and
 * posix_trace_eventid_get_name() gives the name back.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <stdio.h>
#include <string.h>

int main(void)
{
	char longest[TRACE_EVENT_NAME_MAX + 1], got[TRACE_EVENT_NAME_MAX + 2];
	trace_event_id_t a, b, again, system = 0, unnamed = 0;
	trace_id_t trid;

	plan(15);
	a = event_id("before any stream");
	trid = stream_make(0, NULL);
	b = event_id("another");
	again = event_id("before any stream");
	is_int(again, a, "[eventid_open.4] the same name is the same id");
	ok(a != b, "[eventid_open.1] another name is another");
	ok(posix_trace_eventid_equal(trid, a, again),
	   "[eventid_equal.1] equal");
	ok(!posix_trace_eventid_equal(trid, a, b),
	   "[eventid_equal.2] not equal");
	is_int(posix_trace_eventid_get_name(trid, a, got), 0,
	       "[eventid_get_name.5] get_name");
	is_str(got, "before any stream",
	       "[eventid_get_name.1 eventid_open.7] "
	       "of a name older than the stream");
	is_int(posix_trace_eventid_get_name(trid, b, got), 0, "get_name");
	is_str(got, "another", "of the other");

	memset(longest, 'x', sizeof(longest));
	longest[TRACE_EVENT_NAME_MAX] = '\0';
	memset(got, 'y', sizeof(got));
	posix_trace_eventid_get_name(trid, event_id(longest), got);
	is_str(got, longest,
	       "[eventid_open.2 eventid_get_name.3] "
	       "the longest name is kept whole");
	is_int(got[sizeof(got) - 1], 'y', "nothing behind it is touched");

	posix_trace_eventid_get_name(trid, POSIX_TRACE_START, got);
	is_str(got, "posix_trace_start",
	       "[xsh_2_11_names.2] a predefined type has its name");
	is_int(posix_trace_eventid_open("posix_trace_start", &system), 0,
	       "a predefined name can be opened");
	is_int(system, POSIX_TRACE_START, "and is the predefined type");
	is_int(posix_trace_eventid_open("posix_trace_unnamed_userevent",
					&unnamed), 0, "the unnamed, too");
	is_int(unnamed, POSIX_TRACE_UNNAMED_USEREVENT, "likewise");
	stream_end(trid);
	return done();
}
