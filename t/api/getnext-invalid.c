/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_getnext_event, _timedgetnext_event, _trygetnext_event: EINVAL for
 * invalid trids: never returned, shut down, of a closed log, of a log where
 * none is allowed, of another process.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <time.h>

static int none;
static struct event ev;

static int wrong(trace_id_t trid)
{
	struct timespec late = {.tv_sec = time(NULL) + 25};

	return (posix_trace_getnext_event(trid, &ev.info, ev.data, 8, &ev.size,
					  &none) != EINVAL) |
	       (posix_trace_timedgetnext_event(trid, &ev.info, ev.data, 8,
					       &ev.size, &none, &late) !=
		EINVAL) << 1 |
	       (posix_trace_trygetnext_event(trid, &ev.info, ev.data, 8,
					     &ev.size, &none) !=
		EINVAL) << 2;
}

#define CLAUSES "[getnext_event.21] [timedgetnext_event.9] [trygetnext_event.6]"

int main(void)
{
	trace_id_t trid, log, nonsense;
	int fd = file_make();

	plan(8);
	is_int(wrong((trace_id_t)0), 0, CLAUSES " 0");
	is_int(wrong((trace_id_t)-1), 0, CLAUSES " -1");
	trid = stream_make(0, NULL);
	stream_start(trid);
	nonsense = trid + 1;
	is_int(wrong(nonsense), 0, CLAUSES " another number");
	stream_end(trid);
	is_int(wrong(trid), 0, CLAUSES " shut down");
	/* The next may take its place, but not its trid. */
	nonsense = stream_make(0, NULL);
	is_int(wrong(trid), 0, CLAUSES " shut down, another created");
	stream_end(nonsense);
	stream_end(stream_make_log(0, NULL, fd));
	log = log_open(fd);
	is_int(posix_trace_trygetnext_event(log, &ev.info, ev.data, 8, &ev.size,
					    &none),
	       EINVAL, "[trygetnext_event.3] trygetnext of a log");
	is_int(posix_trace_close(log), 0, "[close.4] close");
	is_int(wrong(log), 0, CLAUSES " a closed log");
	return done();
}
