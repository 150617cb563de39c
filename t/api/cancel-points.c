/* SPDX-License-Identifier: MIT */
/*
 * A thread whose cancellation is due is not cancelled in any function, but in
 * posix_trace_getnext_event and _timedgetnext_event of a stream.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

static trace_event_id_t id;
static trace_id_t trid;
static int fd;

static void attributes(void)
{
	char name[TRACE_NAME_MAX + 1];
	struct timespec when;
	trace_attr_t attr;
	size_t size;
	int value;

	posix_trace_attr_init(&attr);
	posix_trace_attr_getclockres(&attr, &when);
	posix_trace_attr_getcreatetime(&attr, &when);
	posix_trace_attr_getgenversion(&attr, name);
	posix_trace_attr_getinherited(&attr, &value);
	posix_trace_attr_getlogfullpolicy(&attr, &value);
	posix_trace_attr_getlogsize(&attr, &size);
	posix_trace_attr_getmaxdatasize(&attr, &size);
	posix_trace_attr_getmaxsystemeventsize(&attr, &size);
	posix_trace_attr_getmaxusereventsize(&attr, 1, &size);
	posix_trace_attr_getname(&attr, name);
	posix_trace_attr_getstreamfullpolicy(&attr, &value);
	posix_trace_attr_getstreamsize(&attr, &size);
	posix_trace_attr_setinherited(&attr, POSIX_TRACE_INHERITED);
	posix_trace_attr_setlogfullpolicy(&attr, POSIX_TRACE_APPEND);
	posix_trace_attr_setlogsize(&attr, 1);
	posix_trace_attr_setmaxdatasize(&attr, 1);
	posix_trace_attr_setname(&attr, "name");
	posix_trace_attr_setstreamfullpolicy(&attr, POSIX_TRACE_LOOP);
	posix_trace_attr_setstreamsize(&attr, 1);
	posix_trace_attr_destroy(&attr);
}

static void sets(void)
{
	trace_event_set_t set;
	int member;

	posix_trace_eventset_empty(&set);
	posix_trace_eventset_add(id, &set);
	posix_trace_eventset_ismember(id, &set, &member);
	posix_trace_eventset_del(id, &set);
	posix_trace_eventset_fill(&set, POSIX_TRACE_ALL_EVENTS);
}

static void types(void)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_event_id_t other;

	posix_trace_eventid_open("opened when due", &other);
	posix_trace_trid_eventid_open(trid, "opened so, too", &other);
	posix_trace_eventid_get_name(trid, other, name);
	posix_trace_eventid_equal(trid, id, other);
}

static void record(void)
{
	posix_trace_start(trid);
	posix_trace_event(id, "data", 4);
	posix_trace_stop(trid);
}

static void take(void)
{
	struct event ev;

	while (event_next(trid, &ev))
		;
}

static void control(void)
{
	struct posix_trace_status_info status;
	trace_event_set_t set;
	trace_event_id_t type;
	trace_attr_t attr;
	trace_id_t mine;
	int none;

	posix_trace_create(0, NULL, &mine);
	posix_trace_get_attr(mine, &attr);
	posix_trace_get_status(mine, &status);
	posix_trace_get_filter(mine, &set);
	posix_trace_set_filter(mine, &set, POSIX_TRACE_ADD_EVENTSET);
	posix_trace_eventtypelist_getnext_id(mine, &type, &none);
	posix_trace_eventtypelist_rewind(mine);
	posix_trace_clear(mine);
	posix_trace_shutdown(mine);
}

static void write_log(void)
{
	trace_id_t mine;

	posix_trace_create_withlog(0, NULL, fd, &mine);
	posix_trace_start(mine);
	posix_trace_event(id, "data", 4);
	posix_trace_flush(mine);
	posix_trace_clear(mine);
	posix_trace_shutdown(mine);
}

static void read_log(void)
{
	struct event ev;
	trace_id_t mine;
	int none;

	posix_trace_open(fd, &mine);
	do {
		posix_trace_getnext_event(mine, &ev.info, ev.data,
					  sizeof(ev.data), &ev.size, &none);
	} while (!none);
	posix_trace_rewind(mine);
	posix_trace_close(mine);
}

struct due {
	void (*call)(void);
	int returned;
};

static void *call_it(void *arg)
{
	struct due *due = arg;

	pthread_cancel(pthread_self());
	due->call();
	due->returned = 1;
	pthread_testcancel();
	return arg;
}

static void check(void (*call)(void), const char *what)
{
	struct due due = { .call = call };
	pthread_t thread;
	void *result;

	pthread_create(&thread, NULL, call_it, &due);
	pthread_join(thread, &result);
	ok(due.returned && result == PTHREAD_CANCELED, "%s", what);
}

int main(void)
{
	plan(8);
	id = event_id("an event");
	trid = stream_make(0, NULL);
	fd = file_make();
	check(attributes, "[threads.1] attr_*");
	check(sets, "[threads.1] eventset_*");
	check(types, "[threads.1] eventid_*, trid_eventid_open");
	check(record, "[threads.1] start, event, stop");
	check(take, "[threads.1] trygetnext_event");
	check(control, "[threads.2] what a controller does");
	check(write_log, "[threads.2] what it does with a log");
	check(read_log, "[threads.2] reading that");
	return done();
}
