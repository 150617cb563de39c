/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_clear: with each stream and log policy, running, suspended or
 * full, the log has exactly what came after; before the first
 * flush, after flushes, and with the log full.
 */
#include "t/lib/logrun.h"
#include "t/lib/tap.h"

#include <string.h>

#define LOG_SIZE 32768

static trace_event_id_t id;

enum how { NEW, RUNNING, STOPPED, FLUSHED, LOG_FULL, TWICE, NR_HOW };

static const char *const names[] = { "new", "running", "stopped", "flushed",
				     "log full", "twice" };

static void record(unsigned int writer, unsigned long nr)
{
	for (unsigned long i = 0; i < nr; i++)
		story_put(id, writer, i);
}

static void before(trace_id_t trid, enum how how)
{
	if (how == NEW)
		return;
	stream_start(trid);
	record(1, 100);
	switch (how) {
	case STOPPED:
		stream_stop(trid);
		break;
	case LOG_FULL:
		for (int i = 0; i < 20; i++) {
			record(1, 500);
			posix_trace_flush(trid);
			await_flushed(trid);
		}
		break;
	case TWICE:
		posix_trace_clear(trid);
		stream_only_user(trid);
		record(1, 100);
		/* fallthrough */
	case FLUSHED:
		posix_trace_flush(trid);
		await_flushed(trid);
		record(1, 100);
		break;
	default:
		break;
	}
}

/* Twelve tests. */
static void check(int policy, int log_policy, enum how how, const char *name)
{
	trace_attr_t *attr = story_attr(1 << 20, policy, LOG_SIZE, log_policy);
	struct posix_trace_status_info status;
	int fd = file_make(), running;
	struct story story;
	trace_id_t trid = 0;
	long small;

	is_int(posix_trace_create_withlog(0, attr, fd, &trid), 0,
	       "[logpolicy.11] %s, %s", name, names[how]);
	small = file_size(fd);
	stream_only_user(trid);
	before(trid, how);
	status = status_of(trid);
	/* The moments when one with FLUSH is full do not count. */
	running = status.posix_stream_status == POSIX_TRACE_RUNNING ||
		  (policy == POSIX_TRACE_FLUSH &&
		   status.posix_stream_full_status == POSIX_TRACE_FULL);
	is_int(posix_trace_clear(trid), 0, "[clear.1] clear");
	status = status_of(trid);
	is_int(status.posix_stream_status == POSIX_TRACE_RUNNING, running,
	       "[clear.4] [clear.5] %s", running ? "runs" : "suspended");
	is_int(status.posix_log_full_status, POSIX_TRACE_NOT_FULL,
	       "[clear.13] the log is not full");
	is_int(status.posix_log_overrun_status, POSIX_TRACE_NO_OVERRUN,
	       "[clear.14] nor overrun");
	/* The names opened meanwhile may be in it again; events are not. */
	ok(file_size(fd) <= small + 16384, "[clear.11] %ld bytes, then %ld",
	   small, file_size(fd));
	/* Filters FILTER too, but for this one. */
	stream_only_user(trid);
	if (!running)
		stream_start(trid);
	record(0, 200);
	is_int(posix_trace_shutdown(trid), 0, "shutdown");
	is_int(story_log(fd, id, &story), 0, "[clear.11] it is a log");
	is_int(story.first.info.posix_event_id,
	       running ? POSIX_TRACE_FILTER : POSIX_TRACE_START,
	       "[clear.12] [clear.17] the first after clear is the first");
	ok(story.users == 200 && story.writer[1].nr == 0 &&
	   story.writer[0].nr == 200 && story.writer[0].gaps == 0,
	   "[clear.6] [clear.11] then exactly what came after: %ld and %ld",
	   story.writer[1].nr, story.writer[0].nr);
	is_int(story.system[POSIX_TRACE_OVERFLOW], 0,
	       "[clear.10] no loss is told");
	ok(story.status.posix_log_full_status == POSIX_TRACE_NOT_FULL &&
	   story.status.posix_log_overrun_status == POSIX_TRACE_NO_OVERRUN,
	   "[clear.13] [get_status.3] the closed log is not full");
	close(fd);
}

int main(void)
{
	static const struct {
		int policy;
		const char *name;
	} stream[] = { { POSIX_TRACE_LOOP, "LOOP" },
		       { POSIX_TRACE_UNTIL_FULL, "UNTIL_FULL" },
		       { POSIX_TRACE_FLUSH, "FLUSH" } },
	  log[] = { { POSIX_TRACE_LOOP, "log LOOP" },
		    { POSIX_TRACE_UNTIL_FULL, "log UNTIL_FULL" },
		    { POSIX_TRACE_APPEND, "log APPEND [clear.15]" } };
	char name[64];

	plan(3 * 3 * NR_HOW * 12);
	id = event_id("an event");
	for (int i = 0; i < 3; i++)
		for (int n = 0; n < 3; n++)
			for (enum how how = NEW; how < NR_HOW; how++) {
				strcpy(name, stream[i].name);
				strcat(name, ", ");
				strcat(name, log[n].name);
				check(stream[i].policy, log[n].policy, how,
				      name);
			}
	return done();
}
