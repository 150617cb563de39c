/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_snapshot_np: of a LOOP stream that has overwritten events the log
 * has the newest, without a gap, after OVERFLOW and RESUME; the others are
 * counted as lost, in each snapshot anew.
 */
#include "t/lib/story.h"
#include "t/lib/tap.h"

#define NR 100000UL

static trace_event_id_t id;

static void check(trace_id_t trid, unsigned long nr)
{
	struct posix_trace_info_np info = {0};
	int fd = file_make();
	struct story story;
	trace_id_t log;

	is_int(posix_trace_snapshot_np(trid, fd), 0, "written");
	story_log(fd, id, &story);
	ok(story.writer[0].nr > 0 && story.writer[0].nr < (long)nr &&
		   story.writer[0].last == nr - 1 &&
		   story_gaps(&story) + story_disorder(&story) == 0,
	   "[streampolicy.1] the newest, without a gap: %ld",
	   story.writer[0].nr);
	ok(story.first.info.posix_event_id == POSIX_TRACE_OVERFLOW &&
		   story.system[POSIX_TRACE_OVERFLOW] == 1 &&
		   story.system[POSIX_TRACE_RESUME] == 1,
	   "[xsh_events.7] OVERFLOW comes first, and there is one");
	log = log_open(fd);
	posix_trace_get_info_np(log, &info);
	is_int((long long)(info.events - 2 + info.lost), (long long)nr + 1,
	       "it has, or counts as lost, all that was recorded, and START");
	posix_trace_close(log);
}

static void run(trace_id_t trid)
{
	for (unsigned long i = 0; i < NR; i++)
		story_put(id, 0, i);
	check(trid, NR);
	for (unsigned long i = NR; i < NR + 10; i++)
		story_put(id, 0, i);
	check(trid, NR + 10);
	posix_trace_shutdown(trid);
}

int main(void)
{
	plan(16);
	id = event_id("an event");
	run(stream_run(0, stream_attr(65536, 64, POSIX_TRACE_LOOP)));
	run(stream_begin(stream_make_log(
		0, stream_attr(65536, 64, POSIX_TRACE_LOOP), file_make())));
	return done();
}
