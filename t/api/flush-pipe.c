/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_get_status: polls a flush that lasts, since its log is a pipe
 * that nobody reads: FLUSHING.  Meanwhile the stream records, stops, starts
 * and takes a filter; nothing of this waits.
 */
#include "t/lib/story.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>

#define NR 20000UL

static trace_id_t trid;
static _Atomic int flushed, result;

static void *flush(void *arg)
{
	(void)arg;
	result = posix_trace_flush(trid);
	flushed = 1;
	return NULL;
}

/* Until nobody can write to it any more. */
static void *drain(void *arg)
{
	static char bytes[65536];
	ssize_t n;

	do
		n = read(*(int *)arg, bytes, sizeof(bytes));
	while (n > 0 || (n < 0 && errno == EINTR));
	return NULL;
}

/* Should all signals be blocked for ever, SIGALRM is, too. */
static void watch(void)
{
	pid_t parent = getpid();

	if (fork())
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sleep(20);
	if (getppid() == parent)
		kill(parent, SIGKILL);
	_exit(0);
}

int main(void)
{
	trace_attr_t *attr = story_attr(4 << 20, POSIX_TRACE_UNTIL_FULL, 0,
					POSIX_TRACE_APPEND), got;
	trace_event_id_t id = event_id("an event");
	struct posix_trace_status_info status;
	trace_event_set_t set;
	pthread_t thread, reader;
	int pipes[2];

	plan(17);
	watch();
	if (pipe(pipes))
		return 1;
	is_int(posix_trace_create_withlog(0, attr, pipes[1], &trid), 0,
	       "[create_withlog.4] APPEND to a pipe");
	stream_begin(trid);
	for (unsigned long i = 0; i < NR; i++)
		story_put(id, 0, i);
	is_int(status_of(trid).posix_stream_flush_status,
	       POSIX_TRACE_NOT_FLUSHING, "[xsh_status.15] no flush yet");
	pthread_create(&thread, NULL, flush, NULL);
	do {
		status = status_of(trid);
		sched_yield();
	} while (status.posix_stream_flush_status != POSIX_TRACE_FLUSHING &&
		 !flushed);
	is_int(status.posix_stream_flush_status, POSIX_TRACE_FLUSHING,
	       "[xsh_status.16] [flush.3] a flush is in progress");
	is_int(status.posix_stream_status, POSIX_TRACE_RUNNING,
	       "[flush.4] the stream runs");
	for (unsigned long i = NR; i < NR + 100; i++)
		story_put(id, 0, i);
	is_int(posix_trace_stop(trid), 0, "[stop.1] stop while flushing");
	is_int(status_of(trid).posix_stream_status, POSIX_TRACE_SUSPENDED,
	       "[stop.1] suspended");
	is_int(posix_trace_start(trid), 0, "[start.1] start while flushing");
	is_int(status_of(trid).posix_stream_status, POSIX_TRACE_RUNNING,
	       "[start.1] running");
	is_int(posix_trace_get_filter(trid, &set), 0,
	       "[get_filter.1] get_filter while flushing");
	is_int(posix_trace_set_filter(trid, &set, POSIX_TRACE_SET_EVENTSET), 0,
	       "[set_filter.2] set_filter while flushing");
	is_int(posix_trace_get_attr(trid, &got), 0,
	       "[get_attr.1] get_attr while flushing");
	is_int(status_of(trid).posix_stream_flush_status, POSIX_TRACE_FLUSHING,
	       "[xsh_status.16] it is still in progress");
	ok(!flushed, "for the pipe is full");
	pthread_create(&reader, NULL, drain, &pipes[0]);
	pthread_join(thread, NULL);
	is_int(result, 0, "[flush.1] flush");
	is_int(await_flushed(trid).posix_stream_flush_status,
	       POSIX_TRACE_NOT_FLUSHING, "[flush.3] its end is seen");
	is_int(posix_trace_shutdown(trid), 0, "[shutdown.7] shutdown");
	close(pipes[1]);
	pthread_join(reader, NULL);
	ok(1, "[shutdown.2] the library has let go of the pipe");
	return done();
}
