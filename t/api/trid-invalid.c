/* SPDX-License-Identifier: MIT */
/*
 * XSH 2.11: a trid is valid in the process that got it, until shutdown or
 * close; for any other every function returns EINVAL.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <time.h>

/* How many of all functions do not say EINVAL. */
static int wrong(trace_id_t trid)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	struct posix_trace_status_info status;
	struct timespec now = { 0, 0 };
	trace_event_set_t set;
	trace_event_id_t id;
	struct event ev;
	trace_attr_t attr;
	int none, n = 0;

	posix_trace_eventset_empty(&set);
	n += posix_trace_start(trid) != EINVAL;
	n += posix_trace_stop(trid) != EINVAL;
	n += posix_trace_clear(trid) != EINVAL;
	n += posix_trace_flush(trid) != EINVAL;
	n += posix_trace_shutdown(trid) != EINVAL;
	n += posix_trace_rewind(trid) != EINVAL;
	n += posix_trace_close(trid) != EINVAL;
	n += posix_trace_get_attr(trid, &attr) != EINVAL;
	n += posix_trace_get_status(trid, &status) != EINVAL;
	n += posix_trace_get_filter(trid, &set) != EINVAL;
	n += posix_trace_set_filter(trid, &set, POSIX_TRACE_SET_EVENTSET) !=
	     EINVAL;
	n += posix_trace_trid_eventid_open(trid, "a", &id) != EINVAL;
	n += posix_trace_eventid_get_name(trid, POSIX_TRACE_START, name) !=
	     EINVAL;
	n += posix_trace_eventtypelist_getnext_id(trid, &id, &none) != EINVAL;
	n += posix_trace_eventtypelist_rewind(trid) != EINVAL;
	n += posix_trace_getnext_event(trid, &ev.info, ev.data,
				       sizeof(ev.data), &ev.size, &none) !=
	     EINVAL;
	n += posix_trace_timedgetnext_event(trid, &ev.info, ev.data,
					    sizeof(ev.data), &ev.size, &none,
					    &now) != EINVAL;
	n += posix_trace_trygetnext_event(trid, &ev.info, ev.data,
					  sizeof(ev.data), &ev.size, &none) !=
	     EINVAL;
	n += posix_trace_get_info_np(trid, NULL) != EINVAL;
	n += posix_trace_shutdown_np(trid, NULL) != EINVAL;
	n += posix_trace_eventid_get_fields_np(trid, POSIX_TRACE_START, name,
					       sizeof(name)) != EINVAL;
	return n;
}

static int child(struct proc *self, void *arg)
{
	(void)self;
	return wrong(*(trace_id_t *)arg);
}

int main(void)
{
	trace_id_t trid, log, stale, inherited;
	int fd = file_make();
	struct proc p;

	plan(14);
	is_int(wrong(0), 0, "0, before any stream");
	trid = stream_make_log(0, NULL, fd);
	stream_end(trid);
	is_int(wrong(trid), 0, "[shutdown.3] after shutdown");
	log = log_open(fd);
	is_int(posix_trace_close(log), 0, "close");
	is_int(wrong(log), 0, "after close");
	stale = trid;
	trid = stream_make(0, NULL);
	ok(trid != stale, "no trid comes again soon");
	is_int(wrong(stale), 0, "a stale one in the place of another");
	is_int(wrong(0), 0, "[shutdown.12] 0");
	is_int(wrong((trace_id_t)-1), 0, "all ones");
	is_int(wrong((trace_id_t)-1 >> 1), 0, "0x7fff...");
	is_int(wrong((trace_id_t)0x7f7f7f7f7f7f7f7f), 0, "0x7f7f...");
	is_int(wrong(trid ^ 1024), 0, "another generation");
	is_int(wrong(trid + 1), 0, "the next");
	inherited = trid;
	proc_start(&p, child, &inherited);
	is_int(proc_wait(&p), 0, "[create.14] the parent's, in a child");
	is_int(posix_trace_shutdown(trid), 0, "the true one is still good");
	return done();
}
