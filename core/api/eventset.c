/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_eventset_*(): sets of event types, one bit for each id.  They
 * belong to no stream, so an id is valid if it can be one in any: each of the
 * predefined, and all that names may get.
 *
 * POSIX_TRACE_WOPID_EVENTS is not much explained by the standard; an example
 * in its rationale speaks of system events not associated with a process.
 * We take those that are about the stream: its start, stop, filter, overflow,
 * flush and error.  POSIX_TRACE_UNNAMED_USEREVENT is a user event.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include <trace.h>

#include "core/format/layout.h"
#include "core/format/sysevents.h"
#include "core/shm/names.h"

#define WORD_BITS (sizeof(unsigned long) * CHAR_BIT)

static_assert(_PTL_EVENT_ID_LIMIT == PTL_ID_LIMIT, "public ABI");

static bool is_valid(trace_event_id_t id)
{
	return (id >= PTL_ID_FIRST_USER && id < PTL_ID_LIMIT) ||
	       ptl_sysevent_name(id);
}

static unsigned long bit_of(trace_event_id_t id)
{
	return 1ul << id % WORD_BITS;
}

static void add(trace_event_set_t *set, trace_event_id_t id)
{
	set->__ptl_bits[id / WORD_BITS] |= bit_of(id);
}

PTL_EXPORT int posix_trace_eventset_add(trace_event_id_t event_id,
					trace_event_set_t *set)
{
	if (!set || !is_valid(event_id))
		return EINVAL;
	add(set, event_id);
	return 0;
}

PTL_EXPORT int posix_trace_eventset_del(trace_event_id_t event_id,
					trace_event_set_t *set)
{
	if (!set || !is_valid(event_id))
		return EINVAL;
	set->__ptl_bits[event_id / WORD_BITS] &= ~bit_of(event_id);
	return 0;
}

PTL_EXPORT int posix_trace_eventset_empty(trace_event_set_t *set)
{
	if (!set)
		return EINVAL;
	memset(set, 0, sizeof(*set));
	return 0;
}

PTL_EXPORT int posix_trace_eventset_fill(trace_event_set_t *set, int what)
{
	uint32_t id;

	if (!set || (what != POSIX_TRACE_WOPID_EVENTS &&
		     what != POSIX_TRACE_SYSTEM_EVENTS &&
		     what != POSIX_TRACE_ALL_EVENTS))
		return EINVAL;
	memset(set, 0, sizeof(*set));
	for (id = ptl_sysevent_next(0); id; id = ptl_sysevent_next(id)) {
		if (what == POSIX_TRACE_WOPID_EVENTS &&
		    id >= PTL_ID_FIRST_SYSTEM)
			break;
		if (what == POSIX_TRACE_ALL_EVENTS || id != PTL_EV_UNNAMED)
			add(set, id);
	}
	if (what == POSIX_TRACE_ALL_EVENTS)
		for (id = PTL_ID_FIRST_USER; id < PTL_ID_LIMIT; id++)
			add(set, id);
	return 0;
}

PTL_EXPORT int
posix_trace_eventset_ismember(trace_event_id_t event_id,
			      const trace_event_set_t *restrict set,
			      int *restrict ismember)
{
	if (!set || !ismember || !is_valid(event_id))
		return EINVAL;
	*ismember =
		(set->__ptl_bits[event_id / WORD_BITS] & bit_of(event_id)) != 0;
	return 0;
}
