/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_eventid_get_name, _equal, _eventtypelist_*: a log has its own
 * list of types, the stream's, with their names; no name can be added.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static char longest[TRACE_EVENT_NAME_MAX + 1];

static int child(struct proc *self, void *arg)
{
	(void)self;
	(void)arg;
	event_put(event_id("the child's"), 1);
	return 0;
}

/* Writes a log; the ids of some names in it. */
static int write_log(trace_event_id_t *mine, trace_event_id_t *controllers)
{
	int fd = file_make();
	trace_id_t trid;
	struct proc p;

	trid = stream_make_log(0, attr_inherit(stream_attr(0, 0, 0)), fd);
	stream_start(trid);
	*mine = event_id("mine");
	event_put(*mine, 1);
	event_put(event_id(longest), 2);
	posix_trace_trid_eventid_open(trid, "the controller's", controllers);
	proc_start(&p, child, NULL);
	proc_wait(&p);
	stream_end(trid);
	return fd;
}

/* The id of that name in the list of the log; 0 if it is not in it. */
static trace_event_id_t listed(trace_id_t log, const char *wanted)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_event_id_t id, found = 0;
	int unavailable;

	posix_trace_eventtypelist_rewind(log);
	while (!posix_trace_eventtypelist_getnext_id(log, &id, &unavailable) &&
	       !unavailable)
		if (!posix_trace_eventid_get_name(log, id, name) &&
		    !strcmp(name, wanted))
			found = id;
	return found;
}

static int nr_events(trace_id_t log, trace_event_id_t id)
{
	posix_trace_rewind(log);
	return event_count(log, id);
}

int main(void)
{
	trace_event_id_t mine, controllers = 0, id = 0, born, first, again;
	char name[TRACE_EVENT_NAME_MAX + 2];
	int fd, unavailable = 1, wrong = 0;
	trace_id_t log;

	memset(longest, 'L', TRACE_EVENT_NAME_MAX);
	plan(20);
	fd = write_log(&mine, &controllers);
	log = log_open(fd);
	is_int(posix_trace_eventtypelist_getnext_id(log, &first, &unavailable),
	       0, "[eventtypelist_getnext_id.1] the first of the list");
	is_int(unavailable, 0, "[eventtypelist_getnext_id.3] is there");
	is_int(listed(log, "mine"), mine, "[xsh_2_11_names.3] what I opened");
	is_int(listed(log, "the controller's"), controllers,
	       "[xsh_2_11_names.3] what the controller opened");
	born = listed(log, "the child's");
	ok(born != 0 && born != mine && born != controllers,
	   "[xsh_2_11_names.3] what a traced child opened");
	is_int(nr_events(log, born), 1,
	       "[xsh_2_11_1_info.1] its events have the id of the list");
	is_int(nr_events(log, listed(log, longest)), 1,
	       "[eventid_get_name.3] a name of the greatest length");
	for (trace_event_id_t i = POSIX_TRACE_ERROR;
	     i <= POSIX_TRACE_UNNAMED_USEREVENT; i++)
		wrong += posix_trace_eventid_get_name(log, i, name) ||
			 listed(log, name) != i;
	is_int(wrong, 0, "[xsh_2_11_names.3] the predefined types");

	memset(name, 'x', sizeof(name));
	is_int(posix_trace_eventid_get_name(log, mine, name), 0,
	       "[eventid_get_name.5] a name");
	is_str(name, "mine", "[eventid_get_name.2] is that of the stream");
	is_int(name[5], 'x', "and no byte more");
	posix_trace_eventid_get_name(log, mine, name);
	is_str(name, "mine", "[eventid_get_name.4] and again");
	ok(posix_trace_eventid_equal(log, mine, mine),
	   "[eventid_equal.3] equal in a log");
	ok(!posix_trace_eventid_equal(log, mine, controllers),
	   "[eventid_equal.3] not equal in a log");
	is_int(posix_trace_eventid_get_name(log, mine + 1000, name), EINVAL,
	       "[eventid_get_name.7] not in the list");
	is_int(posix_trace_trid_eventid_open(log, "mine", &id), EINVAL,
	       "[trid_eventid_open.2] a log is no active stream");
	posix_trace_eventtypelist_rewind(log);
	posix_trace_eventtypelist_getnext_id(log, &again, &unavailable);
	is_int(again, first, "[eventtypelist_rewind.1] the first again");
	posix_trace_rewind(log);
	posix_trace_eventtypelist_getnext_id(log, &again, &unavailable);
	ok(again != first, "posix_trace_rewind() is for the events alone");
	is_int(posix_trace_close(log), 0, "close");
	is_int(posix_trace_eventid_get_name(log, mine, name), EINVAL,
	       "[eventid_get_name.6] no log");
	return done();
}
