/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_create, _create_withlog, _open: which function takes which kind
 * of trid is a closed list.  Every function is called with every kind.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"
#include "t/lib/trid.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

static struct event ev;
static trace_event_set_t set;

static int do_flush(trace_id_t trid)
{
	return posix_trace_flush(trid);
}

static int do_get_attr(trace_id_t trid)
{
	trace_attr_t attr;

	return posix_trace_get_attr(trid, &attr);
}

static int do_get_status(trace_id_t trid)
{
	struct posix_trace_status_info status;

	return posix_trace_get_status(trid, &status);
}

static int do_get_filter(trace_id_t trid)
{
	return posix_trace_get_filter(trid, &set);
}

static int do_set_filter(trace_id_t trid)
{
	return posix_trace_set_filter(trid, &set, POSIX_TRACE_ADD_EVENTSET);
}

static int do_equal(trace_id_t trid)
{
	return posix_trace_eventid_equal(trid, POSIX_TRACE_START,
					 POSIX_TRACE_START) ? 0 : EINVAL;
}

static int do_get_name(trace_id_t trid)
{
	char name[TRACE_EVENT_NAME_MAX + 1];

	return posix_trace_eventid_get_name(trid, POSIX_TRACE_START, name);
}

static int do_list(trace_id_t trid)
{
	trace_event_id_t id;
	int none;

	return posix_trace_eventtypelist_getnext_id(trid, &id, &none);
}

static int do_open_id(trace_id_t trid)
{
	trace_event_id_t id;

	return posix_trace_trid_eventid_open(trid, "a name", &id);
}

/* There is an event to read, so that none of the three waits. */
static int do_getnext(trace_id_t trid)
{
	int none;

	return posix_trace_getnext_event(trid, &ev.info, ev.data,
					 sizeof(ev.data), &ev.size, &none);
}

static int do_timed(trace_id_t trid)
{
	struct timespec past = { 1, 0 };
	int none;

	return posix_trace_timedgetnext_event(trid, &ev.info, ev.data,
					      sizeof(ev.data), &ev.size, &none,
					      &past);
}

static int do_try(trace_id_t trid)
{
	int none;

	return posix_trace_trygetnext_event(trid, &ev.info, ev.data,
					    sizeof(ev.data), &ev.size, &none);
}

enum { YES, NO, FREE };

/* May it be used: by a stream, a stream with log, a log. */
static const struct {
	const char *name;
	int (*fn)(trace_id_t trid);
	int live, logged, log;
} table[] = {
	{ "start", posix_trace_start, YES, YES, NO },
	{ "eventid_equal", do_equal, FREE, FREE, FREE },
	{ "eventid_get_name", do_get_name, YES, YES, YES },
	{ "eventtypelist_getnext_id", do_list, YES, YES, YES },
	{ "eventtypelist_rewind", posix_trace_eventtypelist_rewind, YES, YES,
	  YES },
	{ "get_attr", do_get_attr, YES, YES, YES },
	{ "get_status", do_get_status, YES, YES, YES },
	{ "get_filter", do_get_filter, YES, YES, NO },
	{ "set_filter", do_set_filter, YES, YES, NO },
	{ "trid_eventid_open", do_open_id, YES, YES, NO },
	{ "getnext_event", do_getnext, YES, FREE, YES },
	{ "trygetnext_event", do_try, YES, FREE, NO },
	{ "timedgetnext_event", do_timed, YES, FREE, FREE },
	{ "flush", do_flush, NO, YES, NO },
	{ "rewind", posix_trace_rewind, NO, NO, YES },
	{ "close", posix_trace_close, NO, NO, YES },
	{ "stop", posix_trace_stop, YES, YES, NO },
	/* The last, since it is the end of the trid. */
	{ "shutdown", posix_trace_shutdown, YES, YES, NO },
};
#define NR_FUNCTIONS (sizeof(table) / sizeof(table[0]))

static void check(int got, int want, const char *clause, const char *what,
		  const char *name)
{
	if (want == FREE)
		ok(1, "%s%s of %s: %d, unspecified", clause, name, what,
		   got);
	else
		is_int(got, want == YES ? 0 : EINVAL, "%s%s of %s", clause,
		       name, what);
}

/* It has something to read for each that does. */
static trace_id_t filled(trace_id_t trid)
{
	stream_begin(trid);
	for (int i = 0; i < 9; i++)
		event_put(POSIX_TRACE_UNNAMED_USEREVENT, 1);
	return trid;
}

static void in_child(trace_id_t *trid, const char *what)
{
	struct proc p;

	proc_start(&p, trid_taken_by, trid);
	is_int(proc_wait(&p), 0,
	       "[create.14] %s: no function in a child takes it",
	       what);
}

int main(void)
{
	int fd = file_make();
	trace_id_t live, logged, log;
	size_t i;

	plan(3 * NR_FUNCTIONS + 9);
	posix_trace_eventset_empty(&set);
	live = filled(stream_make(0, NULL));
	in_child(&live, "a stream");
	for (i = 0; i < NR_FUNCTIONS; i++)
		check(table[i].fn(live), table[i].live,
		      table[i].live == NO ? "[create.9] " : "[create.8] ",
		      "a stream", table[i].name);
	is_int(trid_taken(live), 0, "[shutdown.3] after shutdown no function does");

	logged = filled(stream_make_log(0, NULL, fd));
	in_child(&logged, "a stream with log");
	for (i = 0; i < NR_FUNCTIONS; i++)
		check(table[i].fn(logged), table[i].logged,
		      table[i].logged == NO ? "[create_withlog.7] " :
		      table[i].logged == FREE ? "" :
						"[create_withlog.6] ",
		      "a stream with log", table[i].name);
	is_int(trid_taken(logged), 0, "[shutdown.3] nor after its shutdown");

	log = log_open(fd);
	in_child(&log, "a log");
	for (i = 0; i < NR_FUNCTIONS; i++)
		if (table[i].fn != posix_trace_close)
			check(table[i].fn(log), table[i].log, "", "a log",
			      table[i].name);
	is_int(posix_trace_close(log), 0, "close of a log");
	is_int(trid_taken(log), 0, "after close no function does");
	is_int(trid_taken(live + logged + log + 12345), 0,
	       "[shutdown.12] [get_attr.3] [get_status.8] nor "
	       "what never was a trid");
	is_int(trid_taken((trace_id_t)-1), 0, "[shutdown.12] nor all ones");
	is_int(trid_taken(0), 0, "[shutdown.12] nor 0");
	return done();
}
