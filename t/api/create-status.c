/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_create: the stream is suspended, not full, not overrun, filters
 * nothing and has the attributes that were given.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <string.h>
#include <time.h>

int main(void)
{
	trace_attr_t *attr = stream_attr(100000, 333, POSIX_TRACE_UNTIL_FULL);
	struct posix_trace_status_info status;
	struct timespec before, after, created;
	char name[TRACE_NAME_MAX + 1];
	trace_event_set_t set, empty;
	trace_attr_t got;
	trace_id_t trid;
	size_t size;
	int value;

	plan(13);
	posix_trace_attr_setname(attr, "its name");
	posix_trace_attr_setinherited(attr, POSIX_TRACE_INHERITED);
	clock_gettime(CLOCK_REALTIME, &before);
	is_int(posix_trace_create(0, attr, &trid), 0, "[create.1] create");
	clock_gettime(CLOCK_REALTIME, &after);
	posix_trace_attr_setname(attr, "changed");
	posix_trace_get_status(trid, &status);
	is_int(status.posix_stream_status, POSIX_TRACE_SUSPENDED,
	       "[create.10] [get_status.1] suspended");
	is_int(status.posix_stream_full_status, POSIX_TRACE_NOT_FULL,
	       "[xsh_status.7] not full");
	is_int(status.posix_stream_overrun_status, POSIX_TRACE_NO_OVERRUN,
	       "[xsh_status.10] no overrun");
	posix_trace_eventset_empty(&empty);
	memset(&set, 0xff, sizeof(set));
	is_int(posix_trace_get_filter(trid, &set), 0, "get_filter");
	ok(!memcmp(&set, &empty, sizeof(set)), "[create.11] filters nothing");
	is_int(posix_trace_get_attr(trid, &got), 0, "[get_attr.1] get_attr");
	posix_trace_attr_getname(&got, name);
	is_str(name, "its name", "[create.3] the name");
	posix_trace_attr_getmaxdatasize(&got, &size);
	is_int((long long)size, 333, "[create.1] the data size");
	posix_trace_attr_getstreamsize(&got, &size);
	ok(size >= 100000, "[create.1] the stream size");
	posix_trace_attr_getstreamfullpolicy(&got, &value);
	is_int(value, POSIX_TRACE_UNTIL_FULL, "[create.1] the policy");
	posix_trace_attr_getinherited(&got, &value);
	is_int(value, POSIX_TRACE_INHERITED, "[create.1] the inheritance");
	posix_trace_attr_getcreatetime(&got, &created);
	ok((created.tv_sec > before.tv_sec ||
	    (created.tv_sec == before.tv_sec &&
	     created.tv_nsec >= before.tv_nsec)) &&
	   (created.tv_sec < after.tv_sec ||
	    (created.tv_sec == after.tv_sec &&
	     created.tv_nsec <= after.tv_nsec)),
	     "[create.4] the creation time");
	stream_end(trid);
	return done();
}
