/* SPDX-License-Identifier: MIT */
/*
 * <trace.h>: the types, members and constants of the page are there, are of
 * the right types, and can be told apart where they can meet.
 */
#include <trace.h>

#include "t/lib/tap.h"

#include <string.h>

#define HAS(type, object, member)                                             \
	_Static_assert(__builtin_types_compatible_p(                          \
			       type, __typeof__(((object *)0)->member)),      \
		       #member)

HAS(trace_event_id_t, struct posix_trace_event_info, posix_event_id);
HAS(pid_t, struct posix_trace_event_info, posix_pid);
HAS(void *, struct posix_trace_event_info, posix_prog_address);
HAS(pthread_t, struct posix_trace_event_info, posix_thread_id);
HAS(struct timespec, struct posix_trace_event_info, posix_timestamp);
HAS(int, struct posix_trace_event_info, posix_truncation_status);
HAS(int, struct posix_trace_status_info, posix_stream_full_status);
HAS(int, struct posix_trace_status_info, posix_stream_overrun_status);
HAS(int, struct posix_trace_status_info, posix_stream_status);
HAS(int, struct posix_trace_status_info, posix_log_full_status);
HAS(int, struct posix_trace_status_info, posix_log_overrun_status);
HAS(int, struct posix_trace_status_info, posix_stream_flush_error);
HAS(int, struct posix_trace_status_info, posix_stream_flush_status);

/* "A trace_event_id_t constant." */
#define IS_ID(constant)                                                       \
	_Static_assert(__builtin_types_compatible_p(                          \
			       trace_event_id_t, __typeof__(constant)),       \
		       #constant)

IS_ID(POSIX_TRACE_ERROR);
IS_ID(POSIX_TRACE_START);
IS_ID(POSIX_TRACE_STOP);
IS_ID(POSIX_TRACE_FILTER);
IS_ID(POSIX_TRACE_OVERFLOW);
IS_ID(POSIX_TRACE_RESUME);
IS_ID(POSIX_TRACE_FLUSH_START);
IS_ID(POSIX_TRACE_FLUSH_STOP);
IS_ID(POSIX_TRACE_UNNAMED_USEREVENT);

/* In the order of the page; an enum takes integer constant expressions only. */
enum {
	C_ALL_EVENTS = POSIX_TRACE_ALL_EVENTS,
	C_APPEND = POSIX_TRACE_APPEND,
	C_CLOSE_FOR_CHILD = POSIX_TRACE_CLOSE_FOR_CHILD,
	C_FILTER = POSIX_TRACE_FILTER,
	C_FLUSH = POSIX_TRACE_FLUSH,
	C_FLUSH_START = POSIX_TRACE_FLUSH_START,
	C_FLUSH_STOP = POSIX_TRACE_FLUSH_STOP,
	C_FLUSHING = POSIX_TRACE_FLUSHING,
	C_FULL = POSIX_TRACE_FULL,
	C_LOOP = POSIX_TRACE_LOOP,
	C_NO_OVERRUN = POSIX_TRACE_NO_OVERRUN,
	C_NOT_FLUSHING = POSIX_TRACE_NOT_FLUSHING,
	C_NOT_FULL = POSIX_TRACE_NOT_FULL,
	C_INHERITED = POSIX_TRACE_INHERITED,
	C_NOT_TRUNCATED = POSIX_TRACE_NOT_TRUNCATED,
	C_OVERFLOW = POSIX_TRACE_OVERFLOW,
	C_OVERRUN = POSIX_TRACE_OVERRUN,
	C_RESUME = POSIX_TRACE_RESUME,
	C_RUNNING = POSIX_TRACE_RUNNING,
	C_START = POSIX_TRACE_START,
	C_STOP = POSIX_TRACE_STOP,
	C_SUSPENDED = POSIX_TRACE_SUSPENDED,
	C_SYSTEM_EVENTS = POSIX_TRACE_SYSTEM_EVENTS,
	C_TRUNCATED_READ = POSIX_TRACE_TRUNCATED_READ,
	C_TRUNCATED_RECORD = POSIX_TRACE_TRUNCATED_RECORD,
	C_UNNAMED_USER_EVENT = POSIX_TRACE_UNNAMED_USER_EVENT,
	C_UNTIL_FULL = POSIX_TRACE_UNTIL_FULL,
	C_WOPID_EVENTS = POSIX_TRACE_WOPID_EVENTS,
	/* Only the pages of the functions, or 2.11.2, have these. */
	C_ERROR = POSIX_TRACE_ERROR,
	C_UNNAMED_USEREVENT = POSIX_TRACE_UNNAMED_USEREVENT,
	C_SET_EVENTSET = POSIX_TRACE_SET_EVENTSET,
	C_ADD_EVENTSET = POSIX_TRACE_ADD_EVENTSET,
	C_SUB_EVENTSET = POSIX_TRACE_SUB_EVENTSET,
};

static int all_differ(const int *values, int n)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < i; j++)
			if (values[i] == values[j])
				return 0;
	return 1;
}

#define DIFFER(name, ...)                                                     \
	do {                                                                  \
		const int values[] = { __VA_ARGS__ };                         \
		ok(all_differ(values, sizeof(values) / sizeof(values[0])),    \
		   "[trace_h.5] %s", name);                                   \
	} while (0)

static void differ(void)
{
	DIFFER("stream status", C_RUNNING, C_SUSPENDED);
	DIFFER("full status", C_FULL, C_NOT_FULL);
	DIFFER("overrun status", C_OVERRUN, C_NO_OVERRUN);
	DIFFER("flush status", C_FLUSHING, C_NOT_FLUSHING);
	DIFFER("truncation status", C_NOT_TRUNCATED, C_TRUNCATED_RECORD,
	       C_TRUNCATED_READ);
	DIFFER("inheritance", C_INHERITED, C_CLOSE_FOR_CHILD);
	DIFFER("full policies", C_LOOP, C_UNTIL_FULL, C_FLUSH, C_APPEND);
	DIFFER("what to fill a set with", C_WOPID_EVENTS, C_SYSTEM_EVENTS,
	       C_ALL_EVENTS);
	DIFFER("what to do with a filter", C_SET_EVENTSET, C_ADD_EVENTSET,
	       C_SUB_EVENTSET);
	DIFFER("event types [xsh_2_11_2_types.11]", C_ERROR, C_START, C_STOP,
	       C_FILTER, C_OVERFLOW, C_RESUME, C_FLUSH_START, C_FLUSH_STOP,
	       C_UNNAMED_USEREVENT);
}

/* Assigned, passed and returned by value. */
static trace_event_set_t by_value(trace_event_set_t set)
{
	trace_event_set_t copy = set;

	posix_trace_eventset_add(POSIX_TRACE_START, &copy);
	return copy;
}

static int is_member(trace_event_id_t id, const trace_event_set_t *set)
{
	int member = -1;

	posix_trace_eventset_ismember(id, set, &member);
	return member;
}

int main(void)
{
	trace_event_set_t set, got;
	trace_event_id_t id = POSIX_TRACE_STOP;
	trace_attr_t attr = { 0 };
	trace_id_t trid = 0;
	size_t size = sizeof(attr);
	int in_if = 0, limits = 0;

#if _POSIX_TRACE > 0 && _POSIX_TRACE_EVENT_FILTER > 0 &&                      \
	_POSIX_TRACE_INHERIT > 0 && _POSIX_TRACE_LOG > 0
	in_if = 1;
#endif
#if _POSIX_TRACE_EVENT_NAME_MAX == 30 && _POSIX_TRACE_NAME_MAX == 8 &&        \
	_POSIX_TRACE_SYS_MAX == 8 && _POSIX_TRACE_USER_EVENT_MAX == 32
	limits++;
#endif
#if TRACE_EVENT_NAME_MAX >= 30 && TRACE_NAME_MAX >= 8 &&                      \
	TRACE_SYS_MAX >= 8 && TRACE_USER_EVENT_MAX >= 32
	limits++;
#endif
	plan(20);
	ok(1, "[trace_h.1] struct posix_trace_event_info");
	ok(1, "[trace_h.2] struct posix_trace_status_info");
	ok(1, "[trace_h.3 trace_h.4] the constants are constant");
	differ();
	is_int(C_NO_OVERRUN, 0, "[xsh_status.14 xsh_status.21] no overrun is zero");
	is_int(C_UNNAMED_USER_EVENT, C_UNNAMED_USEREVENT,
	       "[trace_h.13] two spellings");
	ok(trid == 0 && size && id == POSIX_TRACE_STOP,
	   "[trace_h.6] the types");
	is_int(in_if, 1, "[trace_h.11] the four options are there");
	ok(_POSIX_TRACE >= 200112L && _POSIX_TRACE == _POSIX_TRACE_LOG,
	   "[trace_h.11] since when");
	is_int(limits, 2, "[trace_h.12] minima and limits");
	posix_trace_eventset_empty(&set);
	got = by_value(set);
	ok(is_member(POSIX_TRACE_START, &got) == 1 &&
	   is_member(POSIX_TRACE_START, &set) == 0,
	   "[trace_h.6] a set goes by value");
	return done();
}
