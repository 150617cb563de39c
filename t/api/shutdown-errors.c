/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_shutdown: after EFBIG the stream is gone all the same: a hundred
 * of them use up neither streams, descriptors nor mappings.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/story.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#define ROUNDS 100

int main(int argc, char **argv)
{
	int told = 0, created = 0, valid = 0, fds = 0, maps = 0, fd;
	trace_event_id_t id;
	trace_id_t trid;

	(void)argc;
	private_shm(argv);
	plan(6);
	posix_trace_eventid_open("an event", &id);
	for (int i = 0; i < ROUNDS; i++) {
		int err;

		fd = file_make();
		err = posix_trace_create_withlog(
			0, story_attr(0, POSIX_TRACE_UNTIL_FULL, 0,
				      POSIX_TRACE_APPEND), fd, &trid);
		if (err) {
			diag("round %d: %d", i, err);
			close(fd);
			break;
		}
		created++;
		stream_start(trid);
		for (unsigned long n = 0; n < 5000; n++)
			event_put(id, n);
		file_limit(8192);
		told += posix_trace_shutdown(trid) == EFBIG;
		file_limit(RLIM_INFINITY);
		valid += posix_trace_shutdown(trid) != EINVAL;
		close(fd);
		if (i == 9) {
			fds = proc_entries("fd");
			maps = proc_entries("map_files");
		}
	}
	is_int(told, ROUNDS, "[shutdown.13] EFBIG is told");
	is_int(valid, 0, "[shutdown.16] the trid is no more");
	is_int(created, ROUNDS, "[shutdown.16] [shutdown.2] there is always one "
	       "to be had");
	is_int(proc_entries("fd"), fds,
	       "[shutdown.2] no descriptor is left");
	ok(proc_entries("map_files") <= maps + 2,
	   "[shutdown.2] no mapping is left");
	diag("%d files in the run directory", shm_files());
	is_int(posix_trace_create(0, NULL, &trid), 0, "life goes on");
	return done();
}
