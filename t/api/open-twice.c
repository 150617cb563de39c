/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_open, _rewind, _close: a log opened twice is read twice, each on
 * its own; rewind begins anew from anywhere; closed is closed, once.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <string.h>

#define NR 100

static trace_event_id_t id;

static int make_log(void)
{
	int fd = file_make();
	trace_id_t trid = stream_begin(stream_make_log(0, NULL, fd));

	for (unsigned long i = 0; i < NR; i++)
		event_put(id, i);
	stream_end(trid);
	return fd;
}

/* The number of the next event. */
static long long number(trace_id_t log)
{
	struct event ev;

	return event_find(log, id, &ev) ? (long long)ev.word : -1;
}

static int is_first(trace_id_t log)
{
	struct event ev;

	return event_next(log, &ev) &&
	       ev.info.posix_event_id == POSIX_TRACE_START;
}

static void check_rewind(trace_id_t log, trace_id_t other)
{
	for (long long stop = 0; stop <= NR; stop += 50) {
		for (long long i = 0; i < stop; i++)
			number(log);
		is_int(posix_trace_rewind(log), 0, "[rewind.2] after %lld",
		       stop);
		ok(is_first(log), "[rewind.1] START");
		is_int(number(log), 0, "[rewind.1] and the first");
		posix_trace_rewind(log);
	}
	is_int(posix_trace_rewind(log), 0, "[rewind.2] twice");
	ok(is_first(log), "[rewind.1] START again");
	is_int(number(other), 10, "the other is where it was");
}

int main(void)
{
	trace_id_t log, other, live;
	int fd, before;

	plan(27);
	id = event_id("an event");
	fd = make_log();
	before = proc_entries("fd");
	log = log_open(fd);
	other = log_open(fd);
	ok(log != other, "[open.1] two trids");
	ok(is_first(log), "[open.3] the oldest is the first");
	for (long long i = 0; i < 10; i++)
		number(other);
	is_int(number(log), 0, "each for itself");
	check_rewind(log, other);
	is_int(posix_trace_close(log), 0, "[close.4] close");
	is_int(posix_trace_close(log), EINVAL, "[close.1] [close.5] again");
	is_int(posix_trace_rewind(log), EINVAL, "[close.1] [rewind.3] rewind");
	is_int(number(other), 11, "the other goes on");
	is_int(posix_trace_close(other), 0, "and can be closed");
	is_int(proc_entries("fd"), before, "[close.2] no descriptor is left");
	is_int(posix_trace_close((trace_id_t)-1), EINVAL, "[close.3] -1");
	is_int(posix_trace_rewind((trace_id_t)-1), EINVAL, "[rewind.3] -1");
	live = stream_make(0, NULL);
	is_int(posix_trace_close(live), EINVAL, "[close.3] of a stream");
	is_int(posix_trace_rewind(live), EINVAL, "[rewind.3] of a stream");
	stream_end(live);
	log = log_open(fd);
	is_int(number(log), 0, "opened again");
	ok(lseek(fd, 0, SEEK_CUR) >= 0, "the descriptor is still ours");
	posix_trace_close(log);
	return done();
}
