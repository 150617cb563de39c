/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_start, _stop, _clear, _get_attr, _get_status, _set_filter,
 * _get_filter: what a controller does with a stream it has.
 */
#include "core/buffer/chunk.h"
#include "core/buffer/counter.h"
#include "core/control/shutdown.h"
#include "core/flush/clear.h"
#include "core/format/sysevents.h"
#include "core/record/emit.h"
#include "core/record/oneshot.h"
#include "core/stream/attr.h"
#include "core/stream/reader.h"
#include "core/stream/stream.h"
#include "core/sys/clock.h"
#include "core/sys/syscall.h"

#include <errno.h>
#include <string.h>
#include <trace.h>

static void read_filter(const struct ptl_map *map, trace_event_set_t *set)
{
	uint64_t word[PTL_FILTER_WORDS];

	static_assert(sizeof(*set) == sizeof(word), "event set");
	ptl_map_filter(map, word);
	memcpy(set, word, sizeof(word));
}

static void start(struct ptl_stream *stream)
{
	struct ptl_map *map = stream->map;
	trace_event_set_t filter;
	struct ptl_emit_as as;

	if (ptl_map_state(map) != 0)
		return;
	read_filter(map, &filter);
	ptl_owner_self(&as);
	if (!ptl_map_filters(map, PTL_EV_START) &&
	    !ptl_oneshot(map, &as, PTL_EV_START, &filter, sizeof(filter),
			 sizeof(filter), stream->caller)) {
		/* It is full, then, and runs when there is room. */
		atomic_store_explicit(&map->head->stop_counter, PTL_STOP_TOLD,
				      memory_order_relaxed);
		ptl_head_change(map->head, 0, PTL_STATE_FULL);
		return;
	}
	/* START is in its chunk, and the filter as it says, before anybody can
	 * record after it. */
	ptl_head_change(map->head, 0, PTL_STATE_RUNNING);
}

static int with_active(trace_id_t trid, void (*fn)(struct ptl_stream *stream),
		       const void *caller)
{
	struct ptl_stream *stream = ptl_stream_get(trid, PTL_STREAM_ACTIVE);
	struct ptl_lock_mask mask;

	if (!stream)
		return EINVAL;
	ptl_lock(&stream->lock, &mask);
	stream->caller = caller;
	fn(stream);
	stream->caller = NULL;
	ptl_unlock(&stream->lock, &mask);
	ptl_stream_put(stream);
	return 0;
}

PTL_EXPORT int posix_trace_start(trace_id_t trid)
{
	return with_active(trid, start, __builtin_return_address(0));
}

PTL_EXPORT int posix_trace_stop(trace_id_t trid)
{
	return with_active(trid, ptl_shutdown_stop,
			   __builtin_return_address(0));
}

static const uint64_t no_filter[PTL_FILTER_WORDS];

/* Recorders look at the words only if `filters' says so: it is set before the
 * first of them is, and taken back after the last. */
static void write_filter(struct ptl_map *map, const uint64_t *word)
{
	struct ptl_shm_head *head = map->head;
	uint64_t all = 0;

	for (unsigned int i = 0; i < PTL_FILTER_WORDS; i++)
		all |= word[i];
	/* Pairs with ptl_fastpath_emit(). */
	if (all)
		atomic_store_explicit(&head->filters, 1, memory_order_release);
	for (unsigned int i = 0; i < PTL_FILTER_WORDS; i++)
		atomic_store_explicit(&head->filter[i], word[i],
				      memory_order_relaxed);
	/* Pairs with ptl_fastpath_emit(). */
	if (!all)
		atomic_store_explicit(&head->filters, 0, memory_order_release);
}

/* As the stream was when it was made; but the names stay, and if it runs, it
 * runs. */
static void clear_head(struct ptl_stream *stream)
{
	struct ptl_shm_head *head = stream->map->head;

	write_filter(stream->map, no_filter);
	atomic_store_explicit(&head->lost, 0, memory_order_relaxed);
	atomic_store_explicit(&head->lost_since, 0, memory_order_relaxed);
	atomic_store_explicit(&head->overrun, 0, memory_order_relaxed);
	atomic_store_explicit(&head->stop_counter, 0, memory_order_relaxed);
	ptl_reader_clear(stream);
	/* One that stopped by itself stays so, but for moments that the
	 * flusher would have ended. */
	ptl_head_change(head, PTL_STATE_FULL,
			ptl_attr_flushes(&head->attr) ? PTL_STATE_RUNNING : 0);
}

PTL_EXPORT int posix_trace_clear(trace_id_t trid)
{
	struct ptl_stream *stream = ptl_stream_get(trid, PTL_STREAM_ACTIVE);
	struct ptl_lock_mask outer, inner;
	int err;

	if (!stream)
		return EINVAL;
	ptl_lock(&stream->flush_lock, &outer);
	ptl_lock(&stream->lock, &inner);
	/* From here on whoever looks passes over what is older. */
	atomic_store_explicit(&stream->map->head->cleared,
			      ptl_counter_now(stream->map->clock),
			      memory_order_relaxed);
	err = ptl_clear_stream(stream);
	clear_head(stream);
	ptl_unlock(&stream->lock, &inner);
	ptl_unlock(&stream->flush_lock, &outer);
	ptl_stream_put(stream);
	return err;
}

PTL_EXPORT int posix_trace_get_attr(trace_id_t trid, trace_attr_t *attr)
{
	struct ptl_stream *stream = ptl_stream_get(trid, PTL_STREAM_ANY);

	if (!stream)
		return EINVAL;
	if (attr)
		ptl_attr_put(
			attr,
			stream->reader ?
				&ptl_log_reader_head(stream->reader)->attr :
				&stream->map->head->attr);
	ptl_stream_put(stream);
	return attr ? 0 : EINVAL;
}

/* A LOOP stream is full when there is no chunk left that was never used. */
static bool is_full(const struct ptl_stream *stream)
{
	const struct ptl_map *map = stream->map;

	if (ptl_map_state(stream->map) & PTL_STATE_FULL)
		return true;
	if (map->head->attr.stream_policy != POSIX_TRACE_LOOP)
		return false;
	for (uint32_t i = 0; i < map->nr_chunks; i++)
		if (ptl_own_state(atomic_load_explicit(&map->table[i].own,
						       memory_order_relaxed)) ==
		    PTL_CHUNK_FREE)
			return false;
	return true;
}

static int overrun_status(bool overrun)
{
	return overrun ? POSIX_TRACE_OVERRUN : POSIX_TRACE_NO_OVERRUN;
}

static void live_status(struct ptl_stream *stream,
			struct posix_trace_status_info *info)
{
	struct ptl_shm_head *head = stream->map->head;
	uint32_t log;

	info->posix_stream_status =
		ptl_map_state(stream->map) == PTL_STATE_RUNNING ?
			POSIX_TRACE_RUNNING :
			POSIX_TRACE_SUSPENDED;
	info->posix_stream_full_status =
		is_full(stream) ? POSIX_TRACE_FULL : POSIX_TRACE_NOT_FULL;
	info->posix_stream_overrun_status =
		overrun_status(atomic_exchange_explicit(&head->overrun, 0,
							memory_order_relaxed));
	info->posix_stream_flush_status =
		atomic_load_explicit(&stream->flushing, memory_order_relaxed) ?
			POSIX_TRACE_FLUSHING :
			POSIX_TRACE_NOT_FLUSHING;
	info->posix_stream_flush_error = atomic_exchange_explicit(
		&stream->flush_error, 0, memory_order_relaxed);
	log = atomic_fetch_and_explicit(&stream->map->log->log_status,
					~PTL_LOG_OVERRUN, memory_order_relaxed);
	info->posix_log_overrun_status = overrun_status(log & PTL_LOG_OVERRUN);
	info->posix_log_full_status =
		log & PTL_LOG_FULL ? POSIX_TRACE_FULL : POSIX_TRACE_NOT_FULL;
}

static void log_status(const struct ptl_stream *stream,
		       struct posix_trace_status_info *info)
{
	const struct ptl_log_end *end = &stream->end;

	*info = (struct posix_trace_status_info){
		POSIX_TRACE_SUSPENDED,
		POSIX_TRACE_NOT_FULL,
		POSIX_TRACE_NO_OVERRUN,
		POSIX_TRACE_NOT_FLUSHING,
		0,
		POSIX_TRACE_NO_OVERRUN,
		POSIX_TRACE_NOT_FULL,
	};
	if (!stream->has_end)
		return;
	info->posix_stream_status = end->status[0];
	info->posix_stream_full_status = end->status[1];
	/* NO_OVERRUN was another number once, and is in logs. */
	info->posix_stream_overrun_status =
		overrun_status(end->status[2] == POSIX_TRACE_OVERRUN);
	info->posix_stream_flush_status = end->status[3];
	info->posix_stream_flush_error = end->status[PTL_LOG_END_ERROR];
	info->posix_log_overrun_status =
		overrun_status(end->status[5] == POSIX_TRACE_OVERRUN);
	info->posix_log_full_status = end->status[6];
}

PTL_EXPORT int posix_trace_get_status(trace_id_t trid,
				      struct posix_trace_status_info *info)
{
	struct ptl_stream *stream = ptl_stream_get(trid, PTL_STREAM_ANY);
	struct ptl_lock_mask mask;

	if (!stream)
		return EINVAL;
	if (info) {
		ptl_lock(&stream->lock, &mask);
		if (stream->reader)
			log_status(stream, info);
		else
			live_status(stream, info);
		ptl_unlock(&stream->lock, &mask);
	}
	ptl_stream_put(stream);
	return info ? 0 : EINVAL;
}

PTL_EXPORT int posix_trace_get_filter(trace_id_t trid, trace_event_set_t *set)
{
	struct ptl_stream *stream = ptl_stream_get(trid, PTL_STREAM_ACTIVE);
	struct ptl_lock_mask mask;

	if (!stream)
		return EINVAL;
	if (set) {
		ptl_lock(&stream->lock, &mask);
		read_filter(stream->map, set);
		ptl_unlock(&stream->lock, &mask);
	}
	ptl_stream_put(stream);
	return set ? 0 : EINVAL;
}

/*
 * FILTER, unless it was filtered and stays so.  Whoever reads must know what is
 * missing from here on, FILTER itself too: if there is no room for it the
 * stream is full, and the START that ends this tells of the filter.
 */
static void tell_filter(struct ptl_stream *stream,
			const trace_event_set_t change[2])
{
	struct ptl_map *map = stream->map;
	struct ptl_emit_as as;

	if (ptl_map_state(map) != PTL_STATE_RUNNING ||
	    (change[0].__ptl_bits[0] & change[1].__ptl_bits[0]) >>
			    PTL_EV_FILTER &
		    1)
		return;
	ptl_owner_self(&as);
	if (!ptl_oneshot(map, &as, PTL_EV_FILTER, change, 2 * sizeof(*change),
			 2 * sizeof(*change), stream->caller))
		ptl_emit_lose(map);
}

/* What is filtered no more is recorded only after FILTER, what is filtered from
 * now on only before. */
static void change_filter(struct ptl_stream *stream,
			  const trace_event_set_t *set, int how)
{
	uint64_t word[PTL_FILTER_WORDS], old[PTL_FILTER_WORDS],
		to[PTL_FILTER_WORDS];
	uint64_t both[PTL_FILTER_WORDS];
	trace_event_set_t change[2];

	memcpy(word, set, sizeof(word));
	read_filter(stream->map, &change[0]);
	memcpy(old, &change[0], sizeof(old));
	for (unsigned int i = 0; i < PTL_FILTER_WORDS; i++) {
		to[i] = how == POSIX_TRACE_SET_EVENTSET ? word[i] :
			how == POSIX_TRACE_ADD_EVENTSET ? old[i] | word[i] :
							  old[i] & ~word[i];
		both[i] = old[i] | to[i];
	}
	memcpy(&change[1], to, sizeof(to));
	write_filter(stream->map, both);
	tell_filter(stream, change);
	write_filter(stream->map, to);
}

PTL_EXPORT int posix_trace_set_filter(trace_id_t trid,
				      const trace_event_set_t *set, int how)
{
	struct ptl_stream *stream;
	struct ptl_lock_mask mask;

	if (!set || how < POSIX_TRACE_SET_EVENTSET ||
	    how > POSIX_TRACE_SUB_EVENTSET)
		return EINVAL;
	stream = ptl_stream_get(trid, PTL_STREAM_ACTIVE);
	if (!stream)
		return EINVAL;
	ptl_lock(&stream->lock, &mask);
	stream->caller = __builtin_return_address(0);
	change_filter(stream, set, how);
	stream->caller = NULL;
	ptl_unlock(&stream->lock, &mask);
	ptl_stream_put(stream);
	return 0;
}
