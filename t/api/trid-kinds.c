/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_create, _open: the lists of functions that take the trid of an
 * active stream, with log or without, or of a log, are closed: others EINVAL.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <time.h>

static struct event ev;
static int none;

static int getnext(trace_id_t trid)
{
	return posix_trace_getnext_event(trid, &ev.info, ev.data,
					 sizeof(ev.data), &ev.size, &none);
}

static int trygetnext(trace_id_t trid)
{
	return posix_trace_trygetnext_event(trid, &ev.info, ev.data,
					    sizeof(ev.data), &ev.size, &none);
}

static int timedgetnext(trace_id_t trid)
{
	struct timespec past = { 1, 0 };

	return posix_trace_timedgetnext_event(trid, &ev.info, ev.data,
					      sizeof(ev.data), &ev.size, &none,
					      &past);
}

int main(void)
{
	trace_id_t live, logged, log;
	trace_event_set_t set;
	trace_event_id_t id;
	int fd = file_make(), fd2 = file_make();

	plan(22);
	posix_trace_eventset_empty(&set);
	live = stream_make(0, NULL);
	is_int(posix_trace_flush(live), EINVAL, "[flush.2] flush without log");
	is_int(posix_trace_rewind(live), EINVAL, "[create.9] [rewind.3] rewind of a stream");
	is_int(posix_trace_close(live), EINVAL, "[create.9] [close.3] close of a stream");
	is_int(trygetnext(live), 0, "trygetnext of a stream");
	is_int(timedgetnext(live), ETIMEDOUT, "timedgetnext of a stream");
	stream_end(live);

	logged = stream_make_log(0, NULL, fd);
	is_int(getnext(logged), EINVAL, "getnext of a stream with log");
	is_int(trygetnext(logged), EINVAL, "trygetnext");
	is_int(timedgetnext(logged), EINVAL, "timedgetnext");
	is_int(posix_trace_rewind(logged), EINVAL, "[create_withlog.7] rewind");
	is_int(posix_trace_close(logged), EINVAL, "[create_withlog.7] close");
	is_int(posix_trace_flush(logged), 0, "[flush.9] flush");
	stream_end(logged);

	log = log_open(fd);
	is_int(posix_trace_start(log), EINVAL, "[start.5] [open.5] start of a log");
	is_int(posix_trace_stop(log), EINVAL, "[stop.6] [open.5] stop");
	is_int(posix_trace_clear(log), EINVAL, "[clear.16] [open.5] clear");
	is_int(posix_trace_flush(log), EINVAL, "[flush.9] [open.5] flush");
	is_int(posix_trace_shutdown(log), EINVAL, "[shutdown.12] [open.5] shutdown");
	is_int(posix_trace_get_filter(log, &set), EINVAL,
	       "[get_filter.2] [open.5] get_filter");
	is_int(posix_trace_set_filter(log, &set, POSIX_TRACE_SET_EVENTSET),
	       EINVAL, "[set_filter.9] [open.5] set_filter");
	is_int(posix_trace_trid_eventid_open(log, "a", &id), EINVAL,
	       "[open.5] trid_eventid_open");
	is_int(trygetnext(log), EINVAL,
	       "[trygetnext_event.3] trygetnext");
	is_int(timedgetnext(log), EINVAL, "timedgetnext");
	is_int(posix_trace_close(log), 0, "[close.4] close of a log");
	(void)fd2;
	return done();
}
