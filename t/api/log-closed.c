/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_shutdown: the closed log has every attribute, every event type
 * with its id, and the status, which asking does not reset.
 */
#include "t/lib/story.h"
#include "t/lib/tap.h"

#include <string.h>
#include <sys/stat.h>

#define NR_TYPES 100

static trace_event_id_t ids[NR_TYPES];

static const char *name_of(int i)
{
	static char name[32];

	memcpy(name, "type 00", 8);
	name[5] = (char)('0' + i / 10);
	name[6] = (char)('0' + i % 10);
	return name;
}

static void set_all(trace_attr_t *attr)
{
	posix_trace_attr_setname(attr, "all attributes");
	posix_trace_attr_setinherited(attr, POSIX_TRACE_INHERITED);
	posix_trace_attr_setlogfullpolicy(attr, POSIX_TRACE_APPEND);
	posix_trace_attr_setlogsize(attr, 123456);
	posix_trace_attr_setmaxdatasize(attr, 321);
	posix_trace_attr_setstreamsize(attr, 54321);
	posix_trace_attr_setstreamfullpolicy(attr, POSIX_TRACE_UNTIL_FULL);
}

/* Ten tests: the attributes that were set, and those of the stream. */
static void check_attr(const trace_attr_t *got, const trace_attr_t *stream,
		       const char *clause)
{
	char text[TRACE_NAME_MAX + 1], text2[TRACE_NAME_MAX + 1];
	struct timespec time, time2;
	size_t size;
	int value;

	posix_trace_attr_getname(got, text);
	is_str(text, "all attributes", "%s name", clause);
	posix_trace_attr_getinherited(got, &value);
	is_int(value, POSIX_TRACE_INHERITED, "%s inheritance", clause);
	posix_trace_attr_getlogfullpolicy(got, &value);
	is_int(value, POSIX_TRACE_APPEND, "%s log policy", clause);
	posix_trace_attr_getlogsize(got, &size);
	is_int((long long)size, 123456, "%s log size", clause);
	posix_trace_attr_getmaxdatasize(got, &size);
	is_int((long long)size, 321, "%s data size", clause);
	posix_trace_attr_getstreamsize(got, &size);
	ok(size >= 54321, "%s stream size", clause);
	posix_trace_attr_getstreamfullpolicy(got, &value);
	is_int(value, POSIX_TRACE_UNTIL_FULL, "%s stream policy", clause);
	posix_trace_attr_getcreatetime(got, &time);
	posix_trace_attr_getcreatetime(stream, &time2);
	is_int(time_cmp(&time, &time2), 0, "%s creation time", clause);
	posix_trace_attr_getclockres(got, &time);
	posix_trace_attr_getclockres(stream, &time2);
	is_int(time_cmp(&time, &time2), 0, "%s resolution", clause);
	posix_trace_attr_getgenversion(got, text);
	posix_trace_attr_getgenversion(stream, text2);
	is_str(text, text2, "%s version", clause);
}

/* Each of ours under its name, and how many there are twice. */
static int types(trace_id_t log, int *twice)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	int seen[NR_TYPES] = { 0 }, none, n = 0;
	trace_event_id_t id;

	*twice = 0;
	while (!posix_trace_eventtypelist_getnext_id(log, &id, &none) && !none)
		for (int i = 0; i < NR_TYPES; i++) {
			if (ids[i] != id)
				continue;
			*twice += seen[i]++;
			n += !posix_trace_eventid_get_name(log, id, name) &&
			     !strcmp(name, name_of(i));
		}
	return n;
}

int main(void)
{
	trace_attr_t attr, stream_s, got;
	struct posix_trace_status_info status[2];
	int fd = file_make(), twice;
	struct stat before, after;
	trace_id_t trid, log;

	plan(30);
	posix_trace_attr_init(&attr);
	set_all(&attr);
	is_int(posix_trace_create_withlog(0, &attr, fd, &trid), 0,
	       "[create_withlog.1] create");
	is_int(posix_trace_attr_destroy(&attr), 0,
	       "[create.3] its attributes are destroyed");
	is_int(posix_trace_get_attr(trid, &stream_s), 0, "[get_attr.1] of it");
	check_attr(&stream_s, &stream_s, "[get_attr.1]");
	for (int i = 0; i < NR_TYPES; i++)
		ids[i] = event_id(name_of(i));
	fstat(fd, &before);
	stream_start(trid);
	event_put(ids[7], 7);
	is_int(posix_trace_shutdown(trid), 0, "[shutdown.7] shutdown");
	fstat(fd, &after);
	ok(time_cmp(&after.st_mtim, &before.st_mtim) >= 0 &&
	   time_cmp(&after.st_mtim, &(struct timespec){ 0, 0 }) > 0 &&
	   after.st_size > before.st_size,
	   "[create_withlog.13] the file was modified");
	log = log_open(fd);
	is_int(posix_trace_get_attr(log, &got), 0, "[get_attr.2] of the log");
	check_attr(&got, &stream_s, "[shutdown.8]");
	is_int(types(log, &twice), NR_TYPES, "[shutdown.9] all types");
	is_int(twice, 0, "[shutdown.9] each once");
	is_int(posix_trace_get_status(log, &status[0]), 0,
	       "[shutdown.10] the status");
	posix_trace_get_status(log, &status[1]);
	ok(!memcmp(&status[0], &status[1], sizeof(status[0])) &&
	   status[0].posix_stream_status == POSIX_TRACE_SUSPENDED,
	   "[get_status.3] [get_status.7] asked twice");
	posix_trace_close(log);
	return done();
}
