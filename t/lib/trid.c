/* SPDX-License-Identifier: MIT */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/trid.h"

#include <errno.h>
#include <time.h>

int trid_taken(trace_id_t trid)
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
	n += posix_trace_set_window_np(trid, NULL, NULL) != EINVAL;
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

int trid_taken_by(struct proc *self, void *arg)
{
	(void)self;
	/* Not exit(): a child leaves its parent's logs alone, which would be a
	 * leak. */
	_exit(trid_taken(*(trace_id_t *)arg));
}
