/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_clear: what a flush could not write is forgotten with its error,
 * and the log goes on from there.
 */
#include "t/lib/logrun.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <sys/resource.h>

#define NR 3000UL

static trace_event_id_t id;

static void record(unsigned long from)
{
	for (unsigned long i = from; i < from + NR; i++)
		story_put(id, 0, i);
}

int main(void)
{
	struct posix_trace_status_info status;
	struct story story;
	trace_id_t trid;
	int fd = file_make();

	plan(8);
	id = event_id("an event");
	trid = stream_run_log(story_attr(4 << 20, POSIX_TRACE_UNTIL_FULL, 0,
					 POSIX_TRACE_APPEND), fd);
	file_limit(file_size(fd) + 4096);
	record(0);
	is_int(posix_trace_flush(trid), EFBIG, "[flush.10] EFBIG");
	file_limit(RLIM_INFINITY);
	is_int(posix_trace_clear(trid), 0, "[clear.1] clear");
	status = status_of(trid);
	is_int(status.posix_stream_flush_error, 0,
	       "[clear.20] no error of a flush before it");
	is_int(status.posix_stream_flush_status, POSIX_TRACE_NOT_FLUSHING,
	       "[clear.20] nor the flush");
	record(NR);
	is_int(posix_trace_shutdown(trid), 0, "shutdown");
	is_int(story_log(fd, id, &story), 0, "[clear.11] it is a log");
	is_int(story.status.posix_stream_flush_error, 0,
	       "[clear.20] the closed log tells of none");
	ok(story.users == (long)NR && story_gaps(&story) == 0,
	   "[clear.6] [clear.11] of what came after: %ld", story.users);
	return done();
}
