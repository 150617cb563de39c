/* SPDX-License-Identifier: MIT */
/*
 * Of a log in a pipe, whose reader left, the events count that were read whole:
 * wherever the reader stopped, and however much went before.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/log/pipetail.h"
#include "t/lib/mklog.h"
#include "t/lib/tap.h"

#define MAX_EVENTS 8

static struct mklog part;
/* Where its events end. */
static size_t nr, end[MAX_EVENTS];

static void add(uint64_t counter, size_t size)
{
	static const char data[200];

	mklog_record(&part, counter, 256, 0x401000, data, size);
	end[nr++] = part.size;
}

/* Packets of events, with others between them. */
static void make(void)
{
	mklog_events(&part, 1, 10);
	add(10, 0);
	add(11, 5);
	add(12, 200);
	mklog_close(&part);
	mklog_type(&part, 256, "app:event", "n:i");
	mklog_events(&part, 2, 20);
	add(20, 8);
	mklog_close(&part);
	mklog_type(&part, 257, "app:another", "");
}

/* Of those that were added so many times: are they counted, wherever the reader
 * stopped, as far as the pipe and the last append can have what was not read? */
static long wrong(const struct ptl_pipetail *tail, unsigned int times)
{
	size_t all = times * part.size, most = tail->pipe + part.size;
	long count = 0;

	for (size_t unread = 0; unread <= PTL_MIN(all, most); unread++) {
		size_t read = all - unread, whole = read / part.size;
		uint64_t want = whole * nr;

		for (size_t i = 0; i < nr; i++)
			want += end[i] <= read - whole * part.size;
		if (ptl_pipetail_events(tail, unread) == want)
			continue;
		if (count++ < 5)
			diag("%zu of %zu bytes: not %llu", read, all,
			     (unsigned long long)want);
	}
	return count;
}

int main(void)
{
	struct ptl_pipetail tail;
	int fds[2];

	plan(4);
	make();
	if (pipe(fds) != 0 || fcntl(fds[1], F_SETPIPE_SZ, 4096) < 0)
		exit(99);
	ptl_pipetail_begin(&tail, fds[1], part.size);
	is_int((long long)ptl_pipetail_events(&tail, 0), 0, "nothing yet");
	ptl_pipetail_add(&tail, part.bytes, part.size);
	is_int(wrong(&tail, 1), 0, "all that was written is in the pipe");
	for (int i = 1; i < 100; i++)
		ptl_pipetail_add(&tail, part.bytes, part.size);
	is_int(wrong(&tail, 100), 0, "more was written than it holds");
	ptl_pipetail_end(&tail);
	dup2(open("/dev/null", O_WRONLY), fds[1]);
	ptl_pipetail_begin(&tail, fds[1], part.size);
	ok(!tail.base, "what is no pipe has no such end");
	return done();
}
