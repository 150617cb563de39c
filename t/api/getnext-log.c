/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_getnext_event: from a log: all outputs; data cut for lack of room
 * are whole after posix_trace_rewind(); at the end never a wait.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <string.h>

#define NR 5

static struct posix_trace_event_info info;
static char data[64];
static size_t size;
static int none;

static int next(trace_id_t log, size_t room)
{
	none = 7;
	size = 999;
	memset(data, 'x', sizeof(data));
	return posix_trace_getnext_event(log, &info, data, room, &size, &none);
}

static int next_of(trace_id_t log, trace_event_id_t id, size_t room)
{
	int err;

	do
		err = next(log, room);
	while (!err && !none && info.posix_event_id != id);
	return err || none;
}

int main(void)
{
	trace_event_id_t id = event_id("an event");
	int fd = file_make(), wrong = 0;
	trace_id_t trid, log;

	plan(15);
	trid = stream_make_log(0, stream_attr(0, 8, 0), fd);
	stream_start(trid);
	posix_trace_event(id, "012345", 6);
	posix_trace_event(id, "0123456789", 10);
	for (unsigned long i = 0; i < NR; i++)
		event_put(id, i);
	stream_end(trid);
	log = log_open(fd);
	is_int(next_of(log, id, 4), 0,
	       "[getnext_event.2] with too little room");
	ok(size == 4 && !memcmp(data, "0123xx", 6),
	   "[getnext_event.13] [getnext_event.14] so many bytes");
	is_int(info.posix_truncation_status, POSIX_TRACE_TRUNCATED_READ,
	       "[getnext_event.15] status");
	is_int(next_of(log, id, 4), 0, "one that was cut when recorded");
	is_int(info.posix_truncation_status, POSIX_TRACE_TRUNCATED_READ,
	       "[getnext_event.15] it overrides");
	posix_trace_rewind(log);
	is_int(next_of(log, id, 64), 0, "[rewind.1] the first again");
	ok(size == 6 && !memcmp(data, "012345xx", 8),
	   "[getnext_event.10] it is whole");
	is_int(info.posix_truncation_status, POSIX_TRACE_NOT_TRUNCATED,
	       "[getnext_event.11] and says so");
	next_of(log, id, 64);
	ok(size == 8 && !memcmp(data, "01234567xx", 10),
	   "[getnext_event.10] the second, as recorded");
	is_int(info.posix_truncation_status, POSIX_TRACE_TRUNCATED_RECORD,
	       "[getnext_event.12] and says so");
	is_int(info.posix_pid, getpid(), "[event_info.2] pid");
	for (unsigned long i = 0; i < NR; i++)
		wrong += next_of(log, id, 64) || memcmp(data, &i, sizeof(i));
	is_int(wrong, 0, "[getnext_event.16] the rest in order");
	while (!next(log, 64) && !none)
		;
	is_int(next(log, 64), 0, "[getnext_event.20] at the end, once more");
	ok(none != 0, "[getnext_event.7] there is none");
	ok(next(log, 0) == 0 && none != 0,
	   "[getnext_event.7] nor without room");
	posix_trace_close(log);
	return done();
}
