/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_set_filter: changes the filter of a full stream, again and again
 * until it starts by itself, which takes long: its log is a pipe that is read
 * bit by bit.  Then what START tells is the filter that is in force.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#define ROUNDS 200

static trace_event_id_t often, seldom;
static trace_id_t trid;
static int pipes[2], file;

static int is_running(void)
{
	struct posix_trace_status_info status;

	posix_trace_get_status(trid, &status);
	return status.posix_stream_status == POSIX_TRACE_RUNNING;
}

/* Some of the log. */
static int move_on(void)
{
	char bytes[4096];
	ssize_t n = read(pipes[0], bytes, sizeof(bytes));

	return n > 0 && write(file, bytes, (size_t)n) == n;
}

static void *move_all(void *arg)
{
	while (move_on())
		;
	return arg;
}

static void one_round(void)
{
	static unsigned int nr;
	trace_event_set_t set[2];

	posix_trace_eventset_empty(&set[0]);
	posix_trace_eventset_empty(&set[1]);
	posix_trace_eventset_add(seldom, &set[1]);
	while (is_running()) {
		for (unsigned long i = 0; i < 100; i++) {
			event_put(often, i);
			event_put(seldom, i);
		}
	}
	do {
		move_on();
		posix_trace_set_filter(trid, &set[nr++ % 2],
				       POSIX_TRACE_SET_EVENTSET);
	} while (!is_running());
}

/* Events of a type that is filtered, or missing of one that is not, as far as
 * is told. */
static long judge(trace_id_t log, long *starts)
{
	int filtered = 0, alone = 0;
	struct event ev;
	long wrong = 0;

	while (event_next(log, &ev)) {
		int start = ev.info.posix_event_id == POSIX_TRACE_START;

		*starts += start;
		if (start || ev.info.posix_event_id == POSIX_TRACE_FILTER)
			posix_trace_eventset_ismember(seldom, &ev.set[!start],
						      &filtered);
		wrong += ev.info.posix_event_id == seldom && filtered;
		wrong += ev.info.posix_event_id == often && alone;
		alone = ev.info.posix_event_id == often && !filtered;
	}
	return wrong;
}

int main(void)
{
	trace_attr_t *attr = stream_attr(65536, 64, POSIX_TRACE_FLUSH);
	pthread_t thread;
	trace_id_t log;
	long starts = 0;

	plan(2);
	if (pipe(pipes))
		return 1;
	fcntl(pipes[0], F_SETFL, O_NONBLOCK);
	file = file_make();
	often = event_id("often");
	seldom = event_id("seldom");
	trid = stream_make_log(0, attr, pipes[1]);
	stream_start(trid);
	for (int i = 0; i < ROUNDS; i++)
		one_round();
	event_put(seldom, 0);
	fcntl(pipes[0], F_SETFL, 0);
	pthread_create(&thread, NULL, move_all, NULL);
	stream_end(trid);
	close(pipes[1]);
	pthread_join(thread, NULL);
	log = log_open(file);
	is_int(judge(log, &starts), 0,
	       "[xsh_events.2] [xsh_events.6] it filters what it tells");
	posix_trace_close(log);
	ok(starts > ROUNDS / 2, "[streampolicy.7] it was full: %ld", starts);
	return done();
}
