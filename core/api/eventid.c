/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_eventid_open, _trid_eventid_open, _eventid_equal,
 * _eventid_get_name, _eventtypelist_*: names and ids of event types.
 */
#include "core/api/fields.h"
#include "core/buffer/slot.h"
#include "core/core.h"
#include "core/log/reader.h"
#include "core/record/attached.h"
#include "core/record/attached_names.h"
#include "core/shm/family.h"
#include "core/shm/names.h"
#include "core/stream/stream.h"
#include "core/sys/text.h"

#include <errno.h>
#include <trace.h>

/*
 * TRACE_USER_EVENT_MAX counts, for a process, the names that its image opened
 * and those that controllers gave it, and POSIX_TRACE_UNNAMED_USEREVENT.  A
 * name that the family has already is no new one: it keeps its id, whichever
 * process asks, and however many there are.  These, which are of names not
 * given, are memory of our own, so a child has them as they were at its fork.
 */
#define NAMES_MAX (TRACE_USER_EVENT_MAX - 1)

static _Atomic uint64_t opened[PTL_ID_LIMIT / 64] PTL_BULK;
static _Atomic uint32_t nr_opened;

/* Notes a name of our own; false if it was one already. */
static bool note_opened(struct ptl_shm_names *names, uint32_t id)
{
	uint64_t bit = UINT64_C(1) << (id % 64);

	return !ptl_names_given(names, id) &&
	       !(atomic_fetch_or_explicit(&opened[id / 64], bit,
					  memory_order_relaxed) &
		 bit);
}

static uint32_t count_given(struct ptl_shm_names *names)
{
	uint32_t nr =
		atomic_load_explicit(&names->nr_given, memory_order_relaxed);

	return PTL_MIN(nr, NAMES_MAX);
}

/* The most that were not given to one process of the family. */
static uint32_t count_most(struct ptl_shm_names *names)
{
	uint32_t nr = atomic_load_explicit(&names->most, memory_order_relaxed);

	return PTL_MIN(nr, NAMES_MAX);
}

/* Returns how many there were. */
static uint32_t count_in(void)
{
	return atomic_fetch_add_explicit(&nr_opened, 1, memory_order_relaxed);
}

static void count_out(void)
{
	atomic_fetch_sub_explicit(&nr_opened, 1, memory_order_relaxed);
}

/* One name too many: its events have none. */
static uint32_t refuse(struct ptl_shm_names *names)
{
	atomic_fetch_add_explicit(&names->refused, 1, memory_order_relaxed);
	return POSIX_TRACE_UNNAMED_USEREVENT;
}

/* A name after we became another user, in the streams that know none of ours.
 */
static uint32_t refuse_late(void)
{
	for (uint64_t left = ptl_attached_active(); left; left &= left - 1) {
		struct ptl_map *map =
			ptl_attached_map((unsigned int)__builtin_ctzll(left));

		if (map && map->uid != ptl_attached.ident.uid)
			atomic_fetch_add_explicit(&map->head->refused, 1,
						  memory_order_relaxed);
	}
	return POSIX_TRACE_UNNAMED_USEREVENT;
}

/* Fields is NULL: the name is given.  With more memory, if that is what it
 * takes.  Returns 0, or as ptl_names_open(). */
static int insert(struct ptl_shm_names *names, const char *name,
		  const char *fields, uint32_t *id)
{
	int err;

	do
		err = fields ? ptl_names_open_fields(names, name, fields, id) :
			       ptl_names_give(names, name, id);
	while (err == ENOMEM && ptl_slots_may_call() &&
	       ptl_family_grow(names) == 0);
	return err;
}

/* The id of a name of this process; UNNAMED if it is one too many; 0: the table
 * is closed. */
static uint32_t open_in(struct ptl_shm_names *names, const char *name,
			const char *fields)
{
	uint32_t nr, id = ptl_names_find(names, name);
	int err;

	if (id) {
		if (note_opened(names, id))
			ptl_names_note_most(names, count_in() + 1);
		return id;
	}
	if (atomic_load_explicit(&ptl_attached.names_closed,
				 memory_order_relaxed))
		return refuse_late();
	/* Counted before it is put there: another thread may be here, too. */
	nr = count_in();
	if (nr + count_given(names) >= NAMES_MAX) {
		count_out();
		/* That thread may have taken the last place for it. */
		id = ptl_names_find(names, name);
		return id ? id : refuse(names);
	}
	err = insert(names, name, fields, &id);
	if (err) {
		count_out();
		return err == ESTALE ? 0 : refuse(names);
	}
	if (note_opened(names, id))
		ptl_names_note_most(names, nr + 1);
	else
		count_out();
	return id;
}

/* Opens it in the table that there is then, *names: when something begins to
 * trace us another takes the place of the one that we have. */
static uint32_t open_own(struct ptl_shm_names **names, const char *name,
			 const char *fields)
{
	struct ptl_shm_names *closed;
	uint32_t id;

	*names = ptl_attached_names();
	do {
		if (!*names)
			return POSIX_TRACE_UNNAMED_USEREVENT;
		id = open_in(*names, name, fields);
		if (id)
			return id;
		closed = *names;
		*names = ptl_attached_names();
	} while (*names != closed);
	return refuse(closed);
}

/*
 * The id of a name that a controller gives to the processes of a stream.  It
 * is one too many if it is for one of them.
 */
static uint32_t open_given(struct ptl_shm_names *names, const char *name)
{
	uint32_t id = ptl_names_find(names, name);

	if (id)
		return id;
	if (count_most(names) + count_given(names) >= NAMES_MAX ||
	    insert(names, name, NULL, &id) != 0)
		return refuse(names);
	return id;
}

/*
 * The id of a name of the standard's own.  Those of our system events are
 * names like any others: a program may use them for events of its own.
 */
static uint32_t find_predefined(const char *name)
{
	uint32_t id = ptl_sysevent_find(name);

	return id < PTL_ID_FIRST_SYSTEM ? id : 0;
}

static bool too_long(const char *name)
{
	return ptl_strnlen(name, PTL_NAME_SIZE) == PTL_NAME_SIZE;
}

PTL_EXPORT int posix_trace_eventid_open(const char *restrict event_name,
					trace_event_id_t *restrict event_id)
{
	struct ptl_shm_names *names;
	uint32_t id;

	if (!event_name || !event_id)
		return EINVAL;
	if (too_long(event_name))
		return ENAMETOOLONG;
	ptl_core_init_names();
	id = find_predefined(event_name);
	*event_id = id ? id : open_own(&names, event_name, "");
	return 0;
}

PTL_EXPORT int
posix_trace_eventid_open_fields_np(const char *restrict event_name,
				   const char *restrict fields,
				   trace_event_id_t *restrict event_id)
{
	char there[PTL_NAME_SIZE];
	struct ptl_shm_names *names;
	uint32_t id;

	if (!event_name || !fields || !event_id)
		return EINVAL;
	if (too_long(event_name) || too_long(fields))
		return ENAMETOOLONG;
	if (!*event_name || ptl_sysevent_owns(event_name) ||
	    !ptl_fields_valid(fields))
		return EINVAL;
	ptl_core_init_names();
	id = open_own(&names, event_name, fields);
	if (id != POSIX_TRACE_UNNAMED_USEREVENT) {
		ptl_names_fields(names, id, there);
		/* One that a controller filters has no fields. */
		if (!ptl_streq(there, fields) &&
		    !(!*there && ptl_names_given(names, id)))
			return EEXIST;
	}
	*event_id = id;
	return 0;
}

PTL_EXPORT int posix_trace_trid_eventid_open(trace_id_t trid,
					     const char *restrict event_name,
					     trace_event_id_t *restrict event)
{
	struct ptl_stream *stream;
	uint32_t id;

	if (!event_name || !event)
		return EINVAL;
	stream = ptl_stream_get(trid, PTL_STREAM_ACTIVE);
	if (!stream)
		return EINVAL;
	if (too_long(event_name)) {
		ptl_stream_put(stream);
		return ENAMETOOLONG;
	}
	id = find_predefined(event_name);
	*event = id ? id : open_given(stream->names, event_name);
	ptl_stream_put(stream);
	return 0;
}

/* Name of an id in a stream or log, into a buffer of PTL_NAME_SIZE. */
static int get_name(const struct ptl_stream *stream, uint32_t id, char *name)
{
	const char *found;

	if (stream->opened.reader)
		found = ptl_log_reader_type_name(stream->opened.reader, id);
	else
		found = ptl_sysevent_name(id);
	if (found) {
		ptl_strcopy(name, PTL_NAME_SIZE, found);
		return 0;
	}
	return stream->opened.reader ? EINVAL :
				       ptl_names_get(stream->names, id, name);
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
		found = stream->opened.reader ?
				ptl_log_reader_type_fields(
					stream->opened.reader, event) :
				ptl_sysevent_fields(event);
		if (!found && !stream->opened.reader) {
			ptl_names_fields(stream->names, event, name);
			found = name;
		}
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

	if (stream->opened.reader)
		return ptl_log_reader_type_next(stream->opened.reader, id);
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
	uint32_t id;

	if (!stream)
		return EINVAL;
	if (!event || !unavailable) {
		ptl_stream_put(stream);
		return EINVAL;
	}
	ptl_lock_only(&stream->lock);
	id = next_type(stream, stream->type_next);
	if (id)
		stream->type_next = *event = id;
	*unavailable = id == 0;
	ptl_unlock_only(&stream->lock);
	ptl_stream_put(stream);
	return 0;
}

PTL_EXPORT int posix_trace_eventtypelist_rewind(trace_id_t trid)
{
	struct ptl_stream *stream = ptl_stream_get(trid, PTL_STREAM_ANY);

	if (!stream)
		return EINVAL;
	ptl_lock_only(&stream->lock);
	stream->type_next = 0;
	ptl_unlock_only(&stream->lock);
	ptl_stream_put(stream);
	return 0;
}
