/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_shutdown: frees all: rounds of create and shutdown, of failing
 * creates, and of open and close leave no descriptor, mapping or file behind.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static int count_maps(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	int c, n = 0;

	while ((c = getc(maps)) != EOF)
		n += c == '\n';
	fclose(maps);
	return n;
}

static void one_round(int i, int fd)
{
	trace_id_t trid = i % 2 ? stream_make(0, NULL) :
				  stream_make_log(0, NULL, fd);
	trace_event_id_t id = event_id("an event");

	if (i % 3)
		stream_start(trid);
	event_put(id, 1);
	if (posix_trace_create(0, NULL, NULL) != EINVAL ||
	    posix_trace_create_withlog(0, NULL, -1, &trid) != EBADF)
		exit(1);
	stream_end(trid);
	if (i % 2 == 0)
		posix_trace_close(log_open(fd));
}

int main(int argc, char **argv)
{
	int fd, fds, maps, files;

	(void)argc;
	private_shm(argv);
	plan(3);
	fd = file_make();
	for (int i = 0; i < 6; i++)
		one_round(i, fd);
	fds = proc_entries("fd");
	maps = count_maps();
	files = shm_files();
	for (int i = 0; i < 300; i++)
		one_round(i, fd);
	is_int(proc_entries("fd"), fds, "[shutdown.2] no descriptor");
	if (under_tsan() || under_asan())
		skip(1, "sanitizers keep memory of threads that ended");
	else
		ok(count_maps() <= maps + 2, "[shutdown.2] no mapping");
	diag("%d maps before, %d after", maps, count_maps());
	is_int(shm_files(), files, "[shutdown.2] no file");
	return done();
}
