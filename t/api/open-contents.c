/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_open: another process than the controller finds in the log the
 * attributes, the event types with their names and the final status.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <string.h>
#include <time.h>

static int fd;

/* Names that the reader never opened, and ids it does not know. */
static int controller(struct proc *self, void *arg)
{
	trace_attr_t *attr = stream_attr(123456, 99, POSIX_TRACE_UNTIL_FULL);
	trace_event_id_t id;
	trace_id_t trid;
	char name[TRACE_EVENT_NAME_MAX + 2];

	(void)self;
	(void)arg;
	memset(name, 'n', sizeof(name));
	name[TRACE_EVENT_NAME_MAX] = '\0';
	posix_trace_attr_setname(attr, "the name");
	posix_trace_attr_setlogsize(attr, 7654321);
	event_put(event_id("before"), 0);
	trid = stream_make_log(0, attr_inherit(attr), fd);
	stream_start(trid);
	event_put(event_id("before"), 1);
	event_put(event_id("after"), 2);
	event_put(event_id(name), 3);
	posix_trace_trid_eventid_open(trid, "never recorded", &id);
	event_put(POSIX_TRACE_UNNAMED_USEREVENT, 4);
	return 0;
}

static void check_attr(trace_id_t log, time_t before)
{
	struct timespec ts;
	trace_attr_t attr;
	char name[TRACE_NAME_MAX + 1];
	size_t size = 0;
	int policy = 0;

	is_int(posix_trace_get_attr(log, &attr), 0, "[open.10] [open.4] attr");
	posix_trace_attr_getname(&attr, name);
	is_str(name, "the name", "[open.10] name");
	posix_trace_attr_getmaxdatasize(&attr, &size);
	is_int((long long)size, 99, "[open.10] data size");
	posix_trace_attr_getlogsize(&attr, &size);
	is_int((long long)size, 7654321, "[open.10] log size");
	posix_trace_attr_getstreamsize(&attr, &size);
	ok(size >= 123456, "[open.10] stream size");
	posix_trace_attr_getstreamfullpolicy(&attr, &policy);
	is_int(policy, POSIX_TRACE_UNTIL_FULL, "[open.10] stream policy");
	posix_trace_attr_getlogfullpolicy(&attr, &policy);
	is_int(policy, POSIX_TRACE_APPEND, "[open.10] log policy");
	posix_trace_attr_getinherited(&attr, &policy);
	is_int(policy, POSIX_TRACE_INHERITED, "[open.10] inheritance");
	posix_trace_attr_getcreatetime(&attr, &ts);
	ok(ts.tv_sec >= before && ts.tv_sec <= time(NULL),
	   "[open.10] creation time");
	ok(posix_trace_attr_getclockres(&attr, &ts) == 0 &&
		   (ts.tv_sec || ts.tv_nsec),
	   "[open.10] clock resolution");
}

static int has_type(trace_id_t log, const char *want, trace_event_id_t *id)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	int none = 0, found = 0;
	trace_event_id_t listed;

	posix_trace_eventtypelist_rewind(log);
	while (!posix_trace_eventtypelist_getnext_id(log, &listed, &none) &&
	       !none) {
		if (posix_trace_eventid_get_name(log, listed, name) ||
		    strcmp(name, want))
			continue;
		found++;
		*id = listed;
	}
	return found;
}

static void check_types(trace_id_t log)
{
	static const char *const names[] = {
		"before",
		"after",
		"never recorded",
		"posix_trace_unnamed_userevent",
		"posix_trace_start",
		"posix_trace_stop",
		"posix_trace_error",
		"posix_trace_filter",
		"posix_trace_resume",
		"posix_trace_flush_start",
		"posix_trace_overflow",
		"posix_trace_flush_stop",
	};
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_event_id_t id = 0, before = 0;
	unsigned long n = 0;
	struct event ev;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		is_int(has_type(log, names[i], &id), 1,
		       "[open.11] [open.15] %s", names[i]);
	memset(name, 'n', sizeof(name));
	name[TRACE_EVENT_NAME_MAX] = '\0';
	is_int(has_type(log, name, &id), 1, "[open.11] the longest name");
	has_type(log, "before", &before);
	ok(posix_trace_eventid_equal(log, before, before) &&
		   !posix_trace_eventid_equal(log, before, id),
	   "[open.4] eventid_equal");
	ok(event_find(log, before, &ev) && ev.word == 1,
	   "[open.3] what was recorded before is not in it");
	while (event_next(log, &ev))
		n += ev.info.posix_event_id == id ||
		     ev.info.posix_event_id == POSIX_TRACE_UNNAMED_USEREVENT;
	is_int((long long)n, 2, "[open.4] getnext_event");
}

int main(void)
{
	struct posix_trace_status_info status;
	time_t before = time(NULL);
	trace_id_t log;
	struct proc p;

	plan(35);
	fd = file_make();
	proc_start(&p, controller, NULL);
	is_int(proc_wait(&p), 0, "[exit.1] it was shut down by exit()");
	log = log_open(fd);
	check_attr(log, before);
	check_types(log);
	for (int i = 0; i < 2; i++) {
		is_int(posix_trace_get_status(log, &status), 0,
		       "[open.12] [open.4] status");
		is_int(status.posix_stream_status, POSIX_TRACE_SUSPENDED,
		       "[open.12] suspended");
	}
	is_int(status.posix_stream_full_status, POSIX_TRACE_NOT_FULL,
	       "[open.12] not full");
	is_int(status.posix_stream_overrun_status, POSIX_TRACE_NO_OVERRUN,
	       "[open.12] no overrun");
	is_int(status.posix_stream_flush_status, POSIX_TRACE_NOT_FLUSHING,
	       "[open.12] not flushing");
	is_int(posix_trace_eventtypelist_rewind(log), 0, "[open.4] rewind");
	posix_trace_close(log);
	return done();
}
