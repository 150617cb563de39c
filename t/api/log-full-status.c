/* SPDX-License-Identifier: MIT */
/*
 * XSH 2.11.1: posix_log_full_status and posix_log_overrun_status of a live
 * stream, from an empty log to a full one and beyond; asking resets the
 * overrun, and the closed log tells the last of it.
 */
#include "t/lib/logrun.h"
#include "t/lib/tap.h"

#define LOG_SIZE 65536

static trace_event_id_t id;
static unsigned long next;

static struct posix_trace_status_info record(trace_id_t trid, int nr)
{
	while (nr-- > 0)
		story_put(id, 0, next++);
	posix_trace_flush(trid);
	return await_flushed(trid);
}

/* Two tests. */
static void is_status(struct posix_trace_status_info status, int full,
		      int overrun, const char *when)
{
	is_int(status.posix_log_full_status,
	       full ? POSIX_TRACE_FULL : POSIX_TRACE_NOT_FULL,
	       "[xsh_status.22] %s: the log is %sfull", when,
	       full ? "" : "not ");
	is_int(status.posix_log_overrun_status,
	       overrun ? POSIX_TRACE_OVERRUN : POSIX_TRACE_NO_OVERRUN,
	       "[xsh_status.21] %s: %soverrun", when, overrun ? "" : "no ");
}

static void check(int log_policy, const char *name)
{
	int fd = file_make();
	struct story story;
	trace_id_t trid;

	next = 0;
	if (posix_trace_create_withlog(
		    0, story_attr(1 << 20, POSIX_TRACE_UNTIL_FULL, LOG_SIZE,
				  log_policy),
		    fd, &trid))
		return;
	diag("%s", name);
	stream_only_user(trid);
	is_status(status_of(trid), 0, 0, "new [xsh_status.20]");
	stream_start(trid);
	is_status(record(trid, LOG_SIZE / LOGRUN_RECORD / 4), 0, 0,
		  "a quarter");
	is_status(record(trid, LOG_SIZE / LOGRUN_RECORD * 2), 1, 1,
		  "twice its size");
	is_status(status_of(trid), 1, 0, "asked again [get_status.5]");
	record(trid, 10);
	/* A piece of a LOOP log may have had room for those ten. */
	is_int(status_of(trid).posix_log_full_status, POSIX_TRACE_FULL,
	       "[xsh_status.22] ten more: full for ever");
	is_status(record(trid, LOG_SIZE / LOGRUN_RECORD), 1, 1, "lost again");
	stream_stop(trid);
	posix_trace_flush(trid);
	await_flushed(trid);
	status_of(trid);
	is_int(posix_trace_shutdown(trid), 0, "shutdown");
	story_log(fd, id, &story);
	is_int(story.status.posix_log_full_status, POSIX_TRACE_FULL,
	       "[get_status.3] the closed log was full");
	is_int(story.status.posix_stream_status, POSIX_TRACE_SUSPENDED,
	       "[get_status.3] the stream suspended");
	is_int(story.status.posix_stream_flush_error, 0,
	       "[xsh_status.17] no error");
}

static void append(void)
{
	int fd = file_make();
	trace_id_t trid =
		stream_make_log(0, stream_attr(1 << 20, 0, 0), fd);

	next = 0;
	diag("APPEND");
	stream_start(trid);
	is_status(record(trid, 20000), 0, 0, "APPEND");
	stream_end(trid);
}

int main(void)
{
	plan(32);
	id = event_id("an event");
	check(POSIX_TRACE_LOOP, "LOOP");
	check(POSIX_TRACE_UNTIL_FULL, "UNTIL_FULL");
	append();
	return done();
}
