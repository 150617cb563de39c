/* SPDX-License-Identifier: MIT */
/*
 * POSIX_TRACE_BLOCK_NP: no thread waits for a log that cannot be written, since
 * its reader is gone, or it may not grow, or its disk is full.  Events without
 * room are lost and counted; when the log can be written again, everything
 * works again.
 */
#include "t/lib/story.h"
#include "t/lib/tap.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#define NR 200000UL
/* Who waits sleeps some 500 times before he gives up. */
#define FEW 100

static trace_event_id_t id;

static trace_id_t make(int fd)
{
	return stream_begin(stream_make_log(
		0,
		story_attr(32768, POSIX_TRACE_BLOCK_NP, 0, POSIX_TRACE_APPEND),
		fd));
}

static long sleeps(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw;
}

static long long lost(trace_id_t trid)
{
	struct posix_trace_info_np info = {.lost = 0};

	posix_trace_get_info_np(trid, &info);
	return (long long)info.lost;
}

/* Two tests. */
static void check_wait(trace_id_t trid, const char *what)
{
	long before = sleeps();

	for (unsigned long i = 0; i < NR; i++)
		story_put(id, 0, i);
	before = sleeps() - before;
	ok(before < FEW, "%s: who records does not wait: %ld sleeps", what,
	   before);
	ok(lost(trid) > 0, "%s: what is lost counts", what);
}

static void check_pipe(void)
{
	int pipes[2];
	trace_id_t trid;

	if (pipe(pipes))
		return;
	trid = make(pipes[1]);
	close(pipes[0]);
	check_wait(trid, "nobody reads");
	posix_trace_shutdown(trid);
	close(pipes[1]);
}

/* Five tests. */
static void check_again(int fd, const char *what, void (*stop_it)(void),
			void (*let_it)(void))
{
	trace_id_t trid = make(fd);
	struct posix_trace_info_np info;
	struct story story;

	stop_it();
	check_wait(trid, what);
	let_it();
	is_int(posix_trace_flush(trid), 0, "%s: with room again", what);
	while (status_of(trid).posix_stream_status != POSIX_TRACE_RUNNING)
		sched_yield();
	for (unsigned long i = 0; i < NR; i++)
		story_put(id, 1, i);
	posix_trace_shutdown_np(trid, &info);
	story_log(fd, id, &story);
	is_int(story.writer[1].nr, (long)NR, "%s: all goes on", what);
	is_int(story.users + (long)info.lost, 2 * (long)NR,
	       "%s: each event is there or counted", what);
}

static void limit(void)
{
	file_limit(65536);
}

static void no_limit(void)
{
	file_limit(RLIM_INFINITY);
}

static void remove_filler(void)
{
	unlink("/mnt/filler");
}

static void put_filler(void)
{
	static const char zeros[4096];
	int filler = open("/mnt/filler", O_WRONLY | O_CREAT, 0600);

	while (write(filler, zeros, sizeof(zeros)) > 0)
		;
	close(filler);
}

/* A file system of our own that is soon full. */
static int small_disk(void)
{
	if (unshare(CLONE_NEWNS) ||
	    mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) ||
	    mount("tmpfs", "/mnt", "tmpfs", 0, "size=16m"))
		return -1;
	return open("/mnt/log", O_RDWR | O_CREAT, 0600);
}

int main(void)
{
	int fd;

	plan(12);
	id = event_id("an event");
	check_pipe();
	fd = file_make();
	check_again(fd, "no larger file", limit, no_limit);
	fd = small_disk();
	if (fd < 0)
		skip(5, "no mount namespace");
	else
		check_again(fd, "a full disk", put_filler, remove_filler);
	return done();
}
