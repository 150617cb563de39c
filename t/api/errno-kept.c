/* SPDX-License-Identifier: MIT */
/* posix_trace_*: no function changes errno, whether it succeeds or fails. */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <time.h>

static int changed;

#define TRY(call)                                                             \
	do {                                                                  \
		errno = 12345;                                                \
		call;                                                         \
		if (errno != 12345) {                                         \
			changed++;                                            \
			diag("%s: %d", #call, errno);                         \
		}                                                             \
	} while (0)

static void try_reading(trace_id_t trid)
{
	struct timespec past = { 1, 0 };
	struct event ev;
	int none;

	TRY(posix_trace_trygetnext_event(trid, &ev.info, ev.data, 8, &ev.size,
					 &none));
	TRY(posix_trace_timedgetnext_event(trid, &ev.info, ev.data, 8,
					   &ev.size, &none, &past));
	TRY(posix_trace_rewind(trid));
}

static void try_controlling(trace_id_t trid)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	struct posix_trace_status_info status;
	struct posix_trace_info_np info;
	trace_event_set_t set;
	trace_event_id_t id;
	trace_attr_t attr;
	int none;

	TRY(posix_trace_start(trid));
	TRY(posix_trace_eventid_open("a name", &id));
	TRY(posix_trace_trid_eventid_open(trid, "another", &id));
	TRY(posix_trace_event(id, "1234", 4));
	TRY(posix_trace_get_attr(trid, &attr));
	TRY(posix_trace_get_status(trid, &status));
	TRY(posix_trace_get_filter(trid, &set));
	TRY(posix_trace_set_filter(trid, &set, POSIX_TRACE_SET_EVENTSET));
	TRY(posix_trace_eventid_get_name(trid, id, name));
	TRY(posix_trace_eventtypelist_getnext_id(trid, &id, &none));
	TRY(posix_trace_eventtypelist_rewind(trid));
	TRY(posix_trace_get_info_np(trid, &info));
	TRY(posix_trace_clear(trid));
	TRY(posix_trace_flush(trid));
	TRY(posix_trace_stop(trid));
}

int main(void)
{
	int fd = file_make();
	trace_id_t trid = 0, log = 0;
	trace_attr_t attr;

	plan(1);
	TRY(posix_trace_attr_init(&attr));
	TRY(posix_trace_create(0, &attr, &trid));
	try_controlling(trid);
	try_reading(trid);
	TRY(posix_trace_shutdown(trid));
	TRY(posix_trace_shutdown(trid));
	TRY(posix_trace_create(0x7ffffff, NULL, &trid));
	TRY(posix_trace_create_withlog(0, NULL, -1, &trid));
	TRY(posix_trace_create_withlog(0, NULL, fd, &trid));
	try_controlling(trid);
	TRY(posix_trace_shutdown(trid));
	TRY(posix_trace_open(-1, &log));
	TRY(posix_trace_open(fd, &log));
	try_controlling(log);
	try_reading(log);
	TRY(posix_trace_close(log));
	TRY(posix_trace_attr_destroy(&attr));
	is_int(changed, 0, "none");
	return done();
}
