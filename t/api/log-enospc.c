/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_flush: on a full disk ENOSPC is reported by flush, by the status
 * or by shutdown; what was written can be read, and no thread spins.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <time.h>

int main(void)
{
	struct posix_trace_status_info status = { .posix_stream_status = 0 };
	trace_event_id_t id = event_id("an event");
	clock_t before;
	trace_id_t trid;
	int fd, told, n;

	if (unshare(CLONE_NEWNS) ||
	    mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/mnt", "tmpfs", 0, "size=128k"))
		skip_all("no mount namespace");
	plan(5);
	fd = open("/mnt/log", O_RDWR | O_CREAT | O_EXCL, 0600);
	trid = stream_make_log(0, stream_attr(1 << 20, 8, 0), fd);
	stream_start(trid);
	for (unsigned long i = 0; i < 20000; i++)
		event_put(id, i);
	told = posix_trace_flush(trid);
	posix_trace_get_status(trid, &status);
	ok(told == ENOSPC || status.posix_stream_flush_error == ENOSPC,
	   "[flush.11] flush tells");
	before = clock();
	usleep(200000);
	ok(clock() - before < CLOCKS_PER_SEC * 18 / 100, "nobody spins");
	is_int(posix_trace_shutdown(trid), ENOSPC,
	       "[shutdown.14] shutdown tells");
	n = log_count(fd, "an event");
	ok(n >= 0, "the log can be read: %d events", n);
	is_int(posix_trace_create(0, NULL, &trid), 0, "life goes on");
	return done();
}
