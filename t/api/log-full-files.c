/* SPDX-License-Identifier: MIT */
/*
 * Logs of policy LOOP and UNTIL_FULL in files that begin as they like: opened
 * with O_APPEND or for writing only, with old contents longer than the log, an
 * offset somewhere, closed right after create, used again and again.
 */
#include "t/lib/logrun.h"
#include "t/lib/tap.h"

#include <fcntl.h>
#include <stdio.h>

#define LOG_SIZE 32768
#define NR 10000UL

static trace_event_id_t id;

static int again(int fd, int flags)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, flags);
}

/* Four tests; the descriptor is closed first of all. */
static void check(int fd, int flags, int log_policy, const char *name)
{
	trace_attr_t *attr =
		story_attr(1 << 20, POSIX_TRACE_LOOP, LOG_SIZE, log_policy);
	int log = again(fd, flags);
	struct story story;
	trace_id_t trid = 0;

	if (lseek(log, 777, SEEK_SET) < 0)
		diag("no offset");
	is_int(posix_trace_create_withlog(0, attr, log, &trid), 0,
	       "[create_withlog.2] log %s, %s",
	       log_policy == POSIX_TRACE_LOOP ? "LOOP" : "UNTIL_FULL", name);
	close(log);
	stream_begin(trid);
	for (unsigned long i = 0; i < NR; i++) {
		story_put(id, 0, i);
		if (i % 100 == 0)
			posix_trace_flush(trid);
	}
	is_int(posix_trace_shutdown(trid), 0, "shutdown");
	is_int(story_log(fd, id, &story), 0, "[shutdown.11] a log");
	ok(story.users > 100 && story.writer[0].gaps == 0 &&
	   story.writer[0].back == 0 &&
	   (log_policy == POSIX_TRACE_LOOP ? story.writer[0].last == NR - 1 :
					     story.writer[0].first == 0) &&
	   file_size(fd) <= LOG_SIZE + LOGRUN_OVERHEAD,
	   "[logpolicy.2] [logpolicy.3] %ld events, %lu to %lu, %ld bytes",
	   story.users, story.writer[0].first, story.writer[0].last,
	   file_size(fd));
}

static int old_file(void)
{
	char page[4096] = "old";
	int fd = file_make();

	for (int i = 0; i < 256; i++)
		if (write(fd, page, sizeof(page)) < 0)
			break;
	return fd;
}

int main(void)
{
	static const int policies[] = { POSIX_TRACE_LOOP,
					POSIX_TRACE_UNTIL_FULL };
	int one = file_make();

	plan(40);
	id = event_id("an event");
	for (int i = 0; i < 2; i++) {
		int fd = old_file();

		check(file_make(), O_RDWR, policies[i], "a new file");
		check(fd, O_WRONLY, policies[i], "old contents");
		check(fd, O_RDWR | O_APPEND, policies[i], "O_APPEND");
		check(one, O_WRONLY | O_APPEND, policies[i],
		      "O_APPEND for writing only");
		check(one, O_RDWR, policies[!i], "the same file again");
	}
	return done();
}
