/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_eventid_open, _trid_eventid_open, _eventid_equal,
 * _eventid_get_name, _eventtypelist_*: names and ids of event types.
 */
#include "core/core.h"
#include "core/logread.h"
#include "core/names.h"
#include "core/self.h"
#include "core/str.h"
#include "core/stream.h"

#include <errno.h>
#include <trace.h>

/* The names this image opened: TRACE_USER_EVENT_MAX of them, not more. */
static _Atomic uint64_t opened[PTL_ID_LIMIT / 64];

/* Counts a name in; false if it is one too many. */
static bool open_here(uint32_t id)
{
	struct ptl_shm_block *block = ptl_self_block();
	uint64_t bit = UINT64_C(1) << (id % 64);

	if (atomic_fetch_or_explicit(&opened[id / 64], bit,
				     memory_order_relaxed) &
	    bit)
		return true;
	if (atomic_fetch_add_explicit(&block->names_opened, 1,
				      memory_order_relaxed) <
	    TRACE_USER_EVENT_MAX)
		return true;
	atomic_fetch_sub_explicit(&block->names_opened, 1,
				  memory_order_relaxed);
	atomic_fetch_and_explicit(&opened[id / 64], ~bit, memory_order_relaxed);
	return false;
}

static int open_name(struct ptl_shm_names *names, const char *name,
		     uint32_t *id)
{
	uint32_t known;
	int err;

	if (ptl_strnlen(name, PTL_NAME_SIZE) == PTL_NAME_SIZE)
		return ENAMETOOLONG;
	known = ptl_sysevent_find(name);
	if (known) {
		*id = known;
		return 0;
	}
	err = names ? ptl_names_open(names, name, id) : ENOSPC;
	if (err == ENOSPC) {
		*id = POSIX_TRACE_UNNAMED_USEREVENT;
		err = 0;
	}
	return err;
}

PTL_EXPORT int posix_trace_eventid_open(const char *restrict event_name,
					trace_event_id_t *restrict event_id)
{
	uint32_t id;
	int err;

	if (!event_name || !event_id)
		return EINVAL;
	ptl_core_init(NULL);
	err = open_name(ptl_self_names(), event_name, &id);
	if (err)
		return err;
	if (id >= PTL_ID_FIRST_USER && !open_here(id))
		id = POSIX_TRACE_UNNAMED_USEREVENT;
	*event_id = id;
	return 0;
}

PTL_EXPORT int posix_trace_trid_eventid_open(trace_id_t trid,
					     const char *restrict event_name,
					     trace_event_id_t *restrict event)
{
	struct ptl_stream *stream;
	int err = EINVAL;
	uint32_t id;

	if (!event_name || !event)
		return EINVAL;
	stream = ptl_stream_get(trid, PTL_STREAM_ACTIVE);
	if (!stream)
		return EINVAL;
	err = open_name(stream->names, event_name, &id);
	if (!err)
		*event = id;
	ptl_stream_put(stream);
	return err;
}

/* Name of an id in a stream or log, into a buffer of PTL_NAME_SIZE. */
static int get_name(const struct ptl_stream *stream, uint32_t id, char *name)
{
	const char *found;

	if (stream->reader)
		found = ptl_logread_type_name(stream->reader, id);
	else
		found = ptl_sysevent_name(id);
	if (found) {
		ptl_strcopy(name, PTL_NAME_SIZE, found);
		return 0;
	}
	return stream->reader ? EINVAL : ptl_names_get(stream->names, id, name);
}

PTL_EXPORT int posix_trace_eventid_get_name(trace_id_t trid,
					    trace_event_id_t event,
					    char *event_name)
{
	struct ptl_stream *stream = ptl_stream_get(trid, PTL_STREAM_ANY);
	int err;

	if (!stream)
		return EINVAL;
	err = event_name ? get_name(stream, event, event_name) : EINVAL;
	ptl_stream_put(stream);
	return err;
}

PTL_EXPORT int posix_trace_eventid_equal(trace_id_t trid,
					 trace_event_id_t event1,
					 trace_event_id_t event2)
{
	(void)trid;
	return event1 == event2;
}

PTL_EXPORT int posix_trace_eventid_get_fields_np(trace_id_t trid,
						 trace_event_id_t event,
						 char *fields, size_t size)
{
	struct ptl_stream *stream = ptl_stream_get(trid, PTL_STREAM_ANY);
	char name[PTL_NAME_SIZE];
	const char *found;
	int err;

	if (!stream)
		return EINVAL;
	err = fields && size ? get_name(stream, event, name) : EINVAL;
	if (!err) {
		found = stream->reader ?
				ptl_logread_type_fields(stream->reader, event) :
				ptl_sysevent_fields(event);
		if (!found)
			found = "";
		if (ptl_strcopy(fields, size, found) != ptl_strlen(found))
			err = ENAMETOOLONG;
	}
	ptl_stream_put(stream);
	return err;
}

static uint32_t next_type(const struct ptl_stream *stream, uint32_t id)
{
	uint32_t next;

	if (stream->reader)
		return ptl_logread_type_next(stream->reader, id);
	if (id < PTL_ID_FIRST_USER) {
		next = ptl_sysevent_next(id);
		if (next)
			return next;
		id = PTL_ID_FIRST_USER - 1;
	}
	next = id + 1;
	return next < PTL_ID_FIRST_USER + ptl_names_count(stream->names) ?
		       next :
		       0;
}

PTL_EXPORT int
posix_trace_eventtypelist_getnext_id(trace_id_t trid,
				     trace_event_id_t *restrict event,
				     int *restrict unavailable)
{
	struct ptl_stream *stream = ptl_stream_get(trid, PTL_STREAM_ANY);
	struct ptl_lock_mask mask;
	uint32_t id;

	if (!stream)
		return EINVAL;
	if (!event || !unavailable) {
		ptl_stream_put(stream);
		return EINVAL;
	}
	ptl_lock(&stream->lock, &mask);
	id = next_type(stream, stream->type_next);
	if (id)
		stream->type_next = *event = id;
	*unavailable = id == 0;
	ptl_unlock(&stream->lock, &mask);
	ptl_stream_put(stream);
	return 0;
}

PTL_EXPORT int posix_trace_eventtypelist_rewind(trace_id_t trid)
{
	struct ptl_stream *stream = ptl_stream_get(trid, PTL_STREAM_ANY);
	struct ptl_lock_mask mask;

	if (!stream)
		return EINVAL;
	ptl_lock(&stream->lock, &mask);
	stream->type_next = 0;
	ptl_unlock(&stream->lock, &mask);
	ptl_stream_put(stream);
	return 0;
}
