/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_flush: EFBIG and ENOSPC are reported once by the status, no
 * signal kills the process, and when there is room again the log continues
 * without a loss.
 */
#include "t/lib/logrun.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>

#define NR 3000UL

static trace_event_id_t id;
static _Atomic int signals;

static void count(int sig)
{
	(void)sig;
	signals++;
}

static void record(unsigned long from)
{
	for (unsigned long i = from; i < from + NR; i++)
		story_put(id, 0, i);
}

/* Eleven tests: an error, told; the cause goes; all is written. */
static void check(trace_id_t trid, int fd, int err, void (*let_it)(void))
{
	const char *clause = err == EFBIG ? "[flush.10]" : "[flush.11]";
	int told, status;
	struct story story;

	record(0);
	told = posix_trace_flush(trid);
	status = await_flushed(trid).posix_stream_flush_error;
	ok(told == err || (told == 0 && status == err),
	   "%s flush tells, or the status", clause);
	told = posix_trace_flush(trid);
	is_int(await_flushed(trid).posix_stream_flush_error, err,
	       "[xsh_status.18] again, the status tells: %d", told);
	is_int(status_of(trid).posix_stream_flush_error, 0,
	       "[xsh_status.19] [get_status.6] asked again: no error");
	is_int(status_of(trid).posix_stream_flush_status,
	       POSIX_TRACE_NOT_FLUSHING, "[xsh_status.15] it is over");
	is_int(status_of(trid).posix_stream_status, POSIX_TRACE_RUNNING,
	       "[flush.4] the stream runs on");
	record(NR);
	let_it();
	is_int(posix_trace_flush(trid), 0, "[flush.13] flush, with room again");
	await_flushed(trid);
	record(2 * NR);
	is_int(posix_trace_shutdown(trid), 0, "[flush.13] shutdown");
	is_int(story_log(fd, id, &story), 0, "[shutdown.11] a log");
	is_int(story.users, 3 * NR, "[flush.13] all events");
	is_int(story_gaps(&story) + story_disorder(&story), 0,
	       "[flush.12] once and in order");
	is_int(story.flushes_nest, 0, "[xsh_events.12] FLUSH_STOP, too");
}

static trace_id_t make(int fd)
{
	trace_attr_t *attr = story_attr(4 << 20, POSIX_TRACE_UNTIL_FULL, 0,
					POSIX_TRACE_APPEND);

	return stream_run_log(attr, fd);
}

static void no_limit(void)
{
	file_limit(RLIM_INFINITY);
}

static void remove_filler(void)
{
	unlink("/mnt/filler");
}

static int small_disk(void)
{
	return unshare(CLONE_NEWNS) ||
	       mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) ||
	       mount("none", "/mnt", "tmpfs", 0, "size=1m");
}

static void fill_disk(void)
{
	int fd = open("/mnt/filler", O_WRONLY | O_CREAT | O_EXCL, 0600);
	char page[4096] = "x";

	while (write(fd, page, sizeof(page)) > 0)
		;
	close(fd);
}

int main(void)
{
	trace_id_t trid;
	int fd = file_make();

	plan(26);
	id = event_id("an event");
	signal(SIGXFSZ, count);
	trid = make(fd);
	file_limit(file_size(fd) + 4096);
	check(trid, fd, EFBIG, no_limit);
	trid = make(fd);
	file_limit(file_size(fd) + 4096);
	record(0);
	is_int(posix_trace_shutdown(trid), EFBIG, "[shutdown.13] EFBIG");
	is_int(posix_trace_shutdown(trid), EINVAL,
	       "[shutdown.16] the trid is no more");
	no_limit();
	is_int(signals, 0, "[flush.10] no SIGXFSZ");
	if (small_disk()) {
		skip(12, "no mount namespace");
		return done();
	}
	fd = open("/mnt/log", O_RDWR | O_CREAT | O_EXCL, 0600);
	trid = make(fd);
	fill_disk();
	check(trid, fd, ENOSPC, remove_filler);
	fill_disk();
	fd = open("/mnt/other", O_RDWR | O_CREAT | O_EXCL, 0600);
	is_int(posix_trace_create_withlog(0, story_attr(0, 0, 0,
							POSIX_TRACE_APPEND),
					  fd, &trid), ENOSPC,
	       "[create_withlog.10] no room to begin with");
	return done();
}
