/* SPDX-License-Identifier: MIT */
/*
 * XSH 2.11.2: each predefined event type has its name, in a stream and in a
 * log, and its data are as the tables say: an int, one set, two sets, none.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <string.h>

static const struct {
	trace_event_id_t id;
	const char *name;
} types[] = {
	{ POSIX_TRACE_ERROR, "posix_trace_error" },
	{ POSIX_TRACE_START, "posix_trace_start" },
	{ POSIX_TRACE_STOP, "posix_trace_stop" },
	{ POSIX_TRACE_FILTER, "posix_trace_filter" },
	{ POSIX_TRACE_OVERFLOW, "posix_trace_overflow" },
	{ POSIX_TRACE_RESUME, "posix_trace_resume" },
	{ POSIX_TRACE_FLUSH_START, "posix_trace_flush_start" },
	{ POSIX_TRACE_FLUSH_STOP, "posix_trace_flush_stop" },
	{ POSIX_TRACE_UNNAMED_USEREVENT, "posix_trace_unnamed_userevent" },
};
#define NR (int)(sizeof(types) / sizeof(types[0]))

static void try_names(trace_id_t trid, const char *of)
{
	char name[TRACE_EVENT_NAME_MAX + 1] = "";

	for (int i = 0; i < NR; i++) {
		posix_trace_eventid_get_name(trid, types[i].id, name);
		is_str(name, types[i].name,
		       types[i].id == POSIX_TRACE_UNNAMED_USEREVENT ?
			       "[eventid_get_name.1 xsh_2_11_names.2] "
			       "[xsh_events.16] %s" :
			       "[eventid_get_name.1 xsh_2_11_names.2] "
			       "[xsh_events.14] %s", of);
	}
}

static void try_stream(trace_id_t trid, trace_event_id_t id)
{
	trace_event_set_t none, one;
	struct event ev;

	posix_trace_eventset_empty(&none);
	one = none;
	posix_trace_eventset_add(id, &one);
	posix_trace_set_filter(trid, &one, POSIX_TRACE_SET_EVENTSET);
	stream_start(trid);
	posix_trace_set_filter(trid, &none, POSIX_TRACE_SET_EVENTSET);
	event_put(POSIX_TRACE_UNNAMED_USEREVENT, 77);
	stream_stop(trid);
	ok(event_find(trid, POSIX_TRACE_START, &ev) &&
	   ev.size == sizeof(one) && !memcmp(ev.set, &one, sizeof(one)),
	   "[xsh_2_11_2_types.2] START has the filter");
	ok(event_find(trid, POSIX_TRACE_FILTER, &ev) &&
	   ev.size == 2 * sizeof(one) && !memcmp(ev.set, &one, sizeof(one)) &&
	   !memcmp(ev.set + 1, &none, sizeof(none)),
	   "[xsh_2_11_2_types.4] FILTER has the old and the new");
	ok(event_find(trid, POSIX_TRACE_UNNAMED_USEREVENT, &ev) &&
	   ev.word == 77,
	   "[xsh_2_11_2_types.9 xsh_2_11_2_types.10] the unnamed has ours");
	ok(event_find(trid, POSIX_TRACE_STOP, &ev) &&
	   ev.size == sizeof(int) && ev.number == 0,
	   "[xsh_2_11_2_types.3] STOP has an int");
}

static void try_overflow(trace_event_id_t id)
{
	trace_id_t trid = stream_make(0, stream_attr(8192, 64, 0));
	struct event overflow, resume;

	stream_begin(trid);
	for (unsigned long i = 0; i < 50000; i++)
		event_put(id, i);
	ok(event_find(trid, POSIX_TRACE_OVERFLOW, &overflow) &&
	   overflow.size == 0, "[xsh_2_11_2_types.5] OVERFLOW has none");
	ok(event_find(trid, POSIX_TRACE_RESUME, &resume) && resume.size == 0,
	   "[xsh_2_11_2_types.6] RESUME has none");
	stream_end(trid);
}

static void try_log(trace_event_id_t id)
{
	struct event ev;
	int fd = file_make();
	trace_id_t trid = stream_make_log(0, NULL, fd);

	stream_start(trid);
	event_put(id, 1);
	posix_trace_flush(trid);
	stream_end(trid);
	trid = log_open(fd);
	try_names(trid, "of a log");
	ok(event_find(trid, POSIX_TRACE_FLUSH_START, &ev) && ev.size == 0,
	   "[xsh_2_11_2_types.7] FLUSH_START has none");
	ok(event_find(trid, POSIX_TRACE_FLUSH_STOP, &ev) && ev.size == 0,
	   "[xsh_2_11_2_types.8] FLUSH_STOP has none");
	posix_trace_rewind(trid);
	ok(event_find(trid, POSIX_TRACE_START, &ev) &&
	   ev.size == sizeof(trace_event_set_t),
	   "[xsh_2_11_2_types.2] START in a log");
	ok(event_find(trid, POSIX_TRACE_STOP, &ev) && ev.size == sizeof(int) &&
	   ev.number == 0, "[xsh_2_11_2_types.3] STOP in a log");
	posix_trace_close(trid);
}

/* Data that max-data-size does not cut: they are not the user's. */
static void try_small(void)
{
	trace_attr_t *attr = stream_attr(0, 1, 0);
	trace_event_set_t none;
	struct event ev;
	trace_id_t trid;

	posix_trace_attr_setmaxdatasize(attr, 0);
	trid = stream_make(0, attr);
	posix_trace_eventset_empty(&none);
	stream_start(trid);
	posix_trace_set_filter(trid, &none, POSIX_TRACE_SET_EVENTSET);
	stream_stop(trid);
	ok(event_find(trid, POSIX_TRACE_START, &ev) &&
	   ev.size == sizeof(none) &&
	   event_find(trid, POSIX_TRACE_FILTER, &ev) &&
	   ev.size == 2 * sizeof(none) &&
	   ev.info.posix_truncation_status == POSIX_TRACE_NOT_TRUNCATED &&
	   event_find(trid, POSIX_TRACE_STOP, &ev) && ev.size == sizeof(int),
	   "[xsh_2_11_2_types.2 xsh_2_11_2_types.4] never cut");
	stream_end(trid);
}

int main(void)
{
	trace_event_id_t id = event_id("an event");
	trace_id_t trid;

	plan(2 * NR + 11);
	trid = stream_make(0, NULL);
	try_names(trid, "of a stream");
	try_stream(trid, id);
	stream_end(trid);
	try_overflow(id);
	try_log(id);
	try_small();
	return done();
}
