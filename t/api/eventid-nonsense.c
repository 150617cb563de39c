/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_eventid_*, _trid_eventid_open, _eventtypelist_*: what is no trid
 * is EINVAL; so is what is no type; names have 0 to TRACE_EVENT_NAME_MAX
 * characters, any.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

static void try_trid(trace_id_t trid)
{
	char name[TRACE_EVENT_NAME_MAX + 1] = "untouched";
	trace_event_id_t id = 77;
	int unavailable = 88;

	is_int(posix_trace_eventid_get_name(trid, POSIX_TRACE_START, name),
	       EINVAL, "[eventid_get_name.6] trid %#lx", trid);
	is_int(posix_trace_trid_eventid_open(trid, "a", &id), EINVAL,
	       "[trid_eventid_open.8] trid %#lx", trid);
	is_int(posix_trace_eventtypelist_getnext_id(trid, &id, &unavailable),
	       EINVAL, "[eventtypelist_getnext_id.6] trid %#lx", trid);
	is_int(posix_trace_eventtypelist_rewind(trid), EINVAL,
	       "[eventtypelist_rewind.3] trid %#lx", trid);
	ok(id == 77 && unavailable == 88 && !strcmp(name, "untouched"),
	   "no result is written");
	/* Unspecified, but no crash. */
	posix_trace_eventid_equal(trid, 1, 2);
}

static int same_name(trace_id_t trid, const char *name, trace_event_id_t id)
{
	char got[TRACE_EVENT_NAME_MAX + 2];

	memset(got, 'x', sizeof(got));
	return !posix_trace_eventid_get_name(trid, id, got) &&
	       !strcmp(got, name);
}

static void try_name(trace_id_t trid, const char *name, const char *what)
{
	trace_event_id_t id = 0, again = 0;

	is_int(posix_trace_trid_eventid_open(trid, name, &id), 0,
	       "[trid_eventid_open.3] %s", what);
	ok(posix_trace_eventid_open(name, &again) == 0 && again == id,
	   "[eventid_open.2 eventid_open.4] %s, of the process", what);
	ok(same_name(trid, name, id) && same_name(trid, name, id),
	   "[eventid_get_name.4] %s is its name", what);
}

int main(void)
{
	const trace_id_t odd[] = { 0, 1, 63, 64, 0x7fffffff, 0x80000000ul,
				   0xffffffff, LONG_MAX, ULONG_MAX };
	const int nr_odd = sizeof(odd) / sizeof(odd[0]);
	char name[2 * TRACE_EVENT_NAME_MAX], got[TRACE_EVENT_NAME_MAX + 1];
	trace_event_id_t id = 77, max, less;
	trace_id_t trid;

	plan(5 * (nr_odd + 2) + 3 * 6 + 10);
	for (int i = 0; i < nr_odd; i++)
		try_trid(odd[i]);
	trid = stream_make(0, NULL);
	try_trid(trid ^ (1ul << 63));
	try_name(trid, "", "an empty name");
	try_name(trid, "\n\t%s%n\\\"'\x01\x7f", "a name of odd characters");
	try_name(trid, "\xc3\xa9v\xc3\xa9nement \xff\xfe", "one of no ASCII");
	memset(name, 'n', sizeof(name));
	name[TRACE_EVENT_NAME_MAX] = '\0';
	try_name(trid, name, "the longest name");
	max = event_id(name);
	name[TRACE_EVENT_NAME_MAX - 1] = '\0';
	try_name(trid, name, "one character less");
	less = event_id(name);
	name[0] = 'N';
	try_name(trid, name, "one of another case");
	ok(max != less && less != event_id(name), "three types");
	ok(!same_name(trid, "nn", less), "and not by their beginnings");

	memset(name, 'n', sizeof(name));
	name[TRACE_EVENT_NAME_MAX + 1] = '\0';
	is_int(posix_trace_eventid_open(name, &id), ENAMETOOLONG,
	       "[eventid_open.9] one character more");
	is_int(posix_trace_trid_eventid_open(trid, name, &id), ENAMETOOLONG,
	       "[trid_eventid_open.9] one character more");
	name[TRACE_EVENT_NAME_MAX + 1] = 'n';
	name[sizeof(name) - 1] = '\0';
	is_int(posix_trace_eventid_open(name, &id), ENAMETOOLONG,
	       "[eventid_open.9] many more");
	is_int(posix_trace_trid_eventid_open(trid, name, &id), ENAMETOOLONG,
	       "[trid_eventid_open.9] many more");
	is_int(id, 77, "no id is written");
	is_int(posix_trace_eventid_get_name(trid, 0xffffffff, got), EINVAL,
	       "[eventid_get_name.7] no type");
	is_int(posix_trace_eventid_get_name(trid, 0, got), EINVAL,
	       "[eventid_get_name.7] none either");
	ok(posix_trace_eventid_equal(trid, max, max) &&
	   !posix_trace_eventid_equal(trid, max, less),
	   "[eventid_equal.1 eventid_equal.2] equal or not");
	stream_end(trid);
	try_trid(trid);
	return done();
}
