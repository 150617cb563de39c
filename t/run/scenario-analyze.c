/* SPDX-License-Identifier: MIT */
/*
 * The standard's second scenario: an analyzer that knows nothing but the file
 * learns from a log how it was made, what types of events are in it, and each
 * event with its data.
 */
#include "t/lib/proc.h"
#include "t/lib/tap.h"

#include <trace.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOG_SIZE 100000
#define NR_EVENTS 100

/* Another process makes the log, and is gone. */
static int make_log(struct proc *self, void *arg)
{
	trace_event_id_t first, second;
	int fd = *(int *)arg;
	trace_attr_t attr;
	trace_id_t trid;

	(void)self;
	posix_trace_attr_init(&attr);
	posix_trace_attr_setname(&attr, "my_trace");
	posix_trace_attr_setstreamfullpolicy(&attr, POSIX_TRACE_FLUSH);
	posix_trace_attr_setlogsize(&attr, LOG_SIZE);
	posix_trace_attr_setmaxdatasize(&attr, 64);
	if (posix_trace_eventid_open("my_first_event", &first) != 0 ||
	    posix_trace_eventid_open("my_second_event", &second) != 0 ||
	    posix_trace_create_withlog(0, &attr, fd, &trid) != 0 ||
	    posix_trace_start(trid) != 0)
		return 1;
	for (int i = 0; i < NR_EVENTS; i++) {
		char text[100];

		memset(text, 'a' + i % 26, sizeof(text));
		posix_trace_event(first, &i, sizeof(i));
		posix_trace_event(second, text, (size_t)i);
	}
	return posix_trace_shutdown(trid);
}

static void check_attributes(trace_id_t log, size_t *max_data)
{
	char text[TRACE_NAME_MAX + 1];
	struct posix_trace_status_info status;
	trace_attr_t attr;
	size_t size = 0;

	is_int(posix_trace_get_status(log, &status), 0, "status");
	is_int(status.posix_stream_overrun_status, POSIX_TRACE_NO_OVERRUN,
	       "nothing was lost");
	is_int(posix_trace_get_attr(log, &attr), 0, "attributes");
	posix_trace_attr_getgenversion(&attr, text);
	ok(strncmp(text, "libptrace", 9) == 0, "who made it: %s", text);
	posix_trace_attr_getname(&attr, text);
	is_str(text, "my_trace", "its name");
	posix_trace_attr_getlogsize(&attr, &size);
	is_int((long long)size, LOG_SIZE, "its limit");
	posix_trace_attr_getmaxdatasize(&attr, max_data);
	is_int((long long)*max_data, 64, "the longest data");
	posix_trace_attr_destroy(&attr);
}

static void check_types(trace_id_t log)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	int end = 0, nr_first = 0, nr_second = 0, nr_start = 0;
	trace_event_id_t id;

	while (posix_trace_eventtypelist_getnext_id(log, &id, &end) == 0 &&
	       !end && posix_trace_eventid_get_name(log, id, name) == 0) {
		nr_first += strcmp(name, "my_first_event") == 0;
		nr_second += strcmp(name, "my_second_event") == 0;
		nr_start += strcmp(name, "posix_trace_start") == 0;
	}
	is_int(nr_first, 1, "my_first_event is a type of it, once");
	is_int(nr_second, 1, "my_second_event too");
	is_int(nr_start, 1, "and those of the system");
}

/* Returns how many of our events were as they should be, in order. */
static int read_events(trace_id_t log, char *data, size_t room)
{
	struct posix_trace_event_info event;
	struct timespec last = {0, 0};
	char name[TRACE_EVENT_NAME_MAX + 1];
	int end = 0, nr = 0;
	size_t size;

	while (posix_trace_getnext_event(log, &event, data, room, &size,
					 &end) == 0 &&
	       !end && posix_trace_eventid_get_name(log, event.posix_event_id,
						    name) == 0) {
		size_t want = (size_t)nr / 2;
		int number = -1;

		if (event.posix_timestamp.tv_sec < last.tv_sec ||
		    (event.posix_timestamp.tv_sec == last.tv_sec &&
		     event.posix_timestamp.tv_nsec < last.tv_nsec))
			return -1;
		last = event.posix_timestamp;
		if (strcmp(name, "my_first_event") == 0 && nr % 2 == 0) {
			memcpy(&number, data, sizeof(number));
			nr += size == sizeof(number) && number == nr / 2;
		} else if (strcmp(name, "my_second_event") == 0 && nr % 2) {
			nr += size == (want < room ? want : room) &&
			      event.posix_truncation_status ==
				      (want > room ?
					       POSIX_TRACE_TRUNCATED_RECORD :
					       POSIX_TRACE_NOT_TRUNCATED);
		}
	}
	return nr;
}

int main(void)
{
	char path[] = "/tmp/ptrace-test.XXXXXX";
	int fd = mkstemp(path);
	struct proc maker;
	size_t max_data = 0;
	trace_id_t log;
	char *data;

	plan(16);
	proc_start(&maker, make_log, &fd);
	is_int(proc_wait(&maker), 0, "somebody makes a log");
	close(fd);
	fd = open(path, O_RDONLY);
	is_int(posix_trace_open(fd, &log), 0, "open");
	check_attributes(log, &max_data);
	check_types(log);
	data = malloc(max_data);
	is_int(read_events(log, data, max_data), 2 * NR_EVENTS, "each event");
	is_int(posix_trace_rewind(log), 0, "rewind");
	is_int(read_events(log, data, max_data), 2 * NR_EVENTS, "once more");
	is_int(posix_trace_close(log), 0, "close");
	free(data);
	close(fd);
	remove(path);
	return done();
}
