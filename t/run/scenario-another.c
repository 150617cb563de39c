/* SPDX-License-Identifier: MIT */
/*
 * The standard's first scenario: one process traces another, which runs already
 * and is instrumented, into a log; it leaves out a part, and changes the filter.
 */
#include "t/lib/proc.h"
#include "t/lib/tap.h"

#include <trace.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Passes its two trace points whenever it is told. */
static int traced(struct proc *self, void *arg)
{
	trace_event_id_t first, second;

	(void)arg;
	if (posix_trace_eventid_open("my_first_event", &first) != 0 ||
	    posix_trace_eventid_open("my_second_event", &second) != 0)
		return 1;
	proc_tell(self);
	for (int n = 0; proc_await(self); n++) {
		posix_trace_event(first, &n, sizeof(n));
		posix_trace_event(second, NULL, 0);
		proc_tell(self);
	}
	return 0;
}

static void pass_trace_points(struct proc *target)
{
	proc_turn(target);
}

/* Appends to the list what the log holds of an event type that is ours. */
static void append(char *list, size_t size, trace_id_t log,
		   const struct posix_trace_event_info *event, int data)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	size_t length = strlen(list);

	if (posix_trace_eventid_get_name(log, event->posix_event_id, name) != 0)
		return;
	if (strcmp(name, "my_first_event") == 0)
		snprintf(list + length, size - length, "first %d, ", data);
	else if (strcmp(name, "my_second_event") == 0)
		snprintf(list + length, size - length, "second, ");
	else if (event->posix_event_id == POSIX_TRACE_START)
		snprintf(list + length, size - length, "start, ");
	else if (event->posix_event_id == POSIX_TRACE_STOP)
		snprintf(list + length, size - length, "stop, ");
	else if (event->posix_event_id == POSIX_TRACE_FILTER)
		snprintf(list + length, size - length, "filter, ");
}

/* Returns how many of the events are not of that process. */
static int read_log(int fd, pid_t pid, char *list, size_t size)
{
	struct posix_trace_event_info event;
	int end = 0, nr_others = 0, data = 0;
	trace_id_t log;
	size_t length;

	if (posix_trace_open(fd, &log) != 0)
		return -1;
	while (posix_trace_getnext_event(log, &event, &data, sizeof(data),
					 &length, &end) == 0 &&
	       !end) {
		append(list, size, log, &event, data);
		nr_others += event.posix_event_id > POSIX_TRACE_UNNAMED_USEREVENT &&
			     event.posix_pid != pid;
	}
	posix_trace_close(log);
	return nr_others;
}

int main(void)
{
	char path[] = "/tmp/ptrace-test.XXXXXX", list[512] = "";
	int temporary = mkstemp(path);
	trace_event_set_t set;
	trace_event_id_t second;
	struct proc target;
	trace_attr_t attr;
	trace_id_t trid;
	int fd;

	plan(11);
	close(temporary);
	proc_start(&target, traced, NULL);
	proc_await(&target);
	pass_trace_points(&target); /* nobody listens yet */

	fd = open(path, O_WRONLY | O_CREAT, 0600);
	is_int(posix_trace_attr_init(&attr), 0, "attributes");
	is_int(posix_trace_create_withlog(target.pid, &attr, fd, &trid), 0,
	       "create");
	posix_trace_attr_destroy(&attr);
	pass_trace_points(&target); /* nor now */
	is_int(posix_trace_start(trid), 0, "start");
	pass_trace_points(&target);
	is_int(posix_trace_stop(trid), 0, "stop for an uninteresting part");
	pass_trace_points(&target);
	is_int(posix_trace_start(trid), 0, "start again");
	pass_trace_points(&target);
	posix_trace_eventset_fill(&set, POSIX_TRACE_WOPID_EVENTS);
	posix_trace_eventset_del(POSIX_TRACE_ERROR, &set);
	posix_trace_trid_eventid_open(trid, "my_second_event", &second);
	posix_trace_eventset_add(second, &set);
	posix_trace_eventset_del(POSIX_TRACE_FILTER, &set);
	posix_trace_eventset_del(POSIX_TRACE_STOP, &set);
	is_int(posix_trace_set_filter(trid, &set, POSIX_TRACE_SET_EVENTSET), 0,
	       "filter");
	pass_trace_points(&target);
	is_int(posix_trace_shutdown(trid), 0, "shutdown");
	pass_trace_points(&target); /* nor then */
	is_int(proc_wait(&target), 0, "the traced process is none the wiser");
	close(fd);

	fd = open(path, O_RDONLY);
	is_int(read_log(fd, target.pid, list, sizeof(list)), 0, "the log");
	is_str(list,
	       "start, first 2, second, stop, start, first 4, second, "
	       "filter, first 5, stop, ",
	       "and what it holds");
	is_int(posix_trace_open(fd, &trid), 0, "which can be read again");
	posix_trace_close(trid);
	remove(path);
	return done();
}
