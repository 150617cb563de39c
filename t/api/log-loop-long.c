/* SPDX-License-Identifier: MIT */
/*
 * log-full-policy POSIX_TRACE_LOOP: the file does not grow however long the
 * run is and however often it is flushed; nor with old contents that are
 * longer, or when log after log goes into one file.
 */
#include "t/lib/logrun.h"
#include "t/lib/tap.h"

#define LOG_SIZE 32768

static trace_event_id_t id;

static trace_id_t make(int fd)
{
	trace_attr_t *attr = story_attr(1 << 20, POSIX_TRACE_LOOP, LOG_SIZE,
					POSIX_TRACE_LOOP);
	trace_id_t trid = 0;

	is_int(posix_trace_create_withlog(0, attr, fd, &trid), 0, "create");
	return stream_begin(trid);
}

/* Seven tests. */
static void long_run(int fd, int flush_every, const char *name)
{
	trace_id_t trid = make(fd);
	struct story story;
	long most = 0, early = 0;

	for (unsigned long i = 0; i < 30000; i++) {
		story_put(id, 0, i);
		if (i % (unsigned)flush_every == 0)
			posix_trace_flush(trid);
		if (i == 10000)
			early = file_size(fd);
		if (i % 100 == 0 && file_size(fd) > most)
			most = file_size(fd);
	}
	is_int(posix_trace_shutdown(trid), 0, "%s", name);
	is_int(story_log(fd, id, &story), 0, "[shutdown.11] a log");
	ok(most <= LOG_SIZE + LOGRUN_OVERHEAD &&
	   file_size(fd) <= LOG_SIZE + LOGRUN_OVERHEAD,
	   "[logpolicy.9] never more than %ld bytes", most);
	ok(most <= early + 4096,
	   "[logpolicy.9] and no growth: %ld bytes, then %ld", early, most);
	ok(story.writer[0].last == 29999 && story.writer[0].gaps == 0,
	   "[logpolicy.2] the newest, without a gap");
	ok(story.users >= LOG_SIZE / 16 / LOGRUN_RECORD,
	   "[logpolicy.2] %ld events are kept", story.users);
}

int main(void)
{
	int fd = file_make();
	char old[4096] = "";

	plan(21);
	id = event_id("an event");
	long_run(fd, 3, "a flush after every third event");
	for (int i = 0; i < 256; i++)
		if (write(fd, old, sizeof(old)) < 0)
			return 1;
	long_run(fd, 1000, "old contents of a MiB more");
	long_run(fd, 50, "a third log in this file");
	return done();
}
