/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_start, _stop, _clear, _flush, _get_attr, _get_status,
 * _set_filter, _get_filter, _trid_event_np: what a controller does with a
 * stream it has.
 */
#include "core/control/run.h"
#include "core/control/status.h"
#include "core/flush/clear.h"
#include "core/flush/flush.h"
#include "core/record/emit.h"
#include "core/record/oneshot.h"
#include "core/stream/attr.h"
#include "core/stream/stream.h"

#include <errno.h>
#include <string.h>
#include <trace.h>

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
	return with_active(trid, ptl_run_start, __builtin_return_address(0));
}

PTL_EXPORT int posix_trace_stop(trace_id_t trid)
{
	return with_active(trid, ptl_run_stop, __builtin_return_address(0));
}

PTL_EXPORT int posix_trace_clear(trace_id_t trid)
{
	struct ptl_stream *stream = ptl_stream_get(trid, PTL_STREAM_ACTIVE);
	struct ptl_lock_mask outer, inner;
	int err;

	if (!stream)
		return EINVAL;
	ptl_lock(&stream->flusher.lock, &outer);
	ptl_lock(&stream->lock, &inner);
	err = ptl_clear_stream(stream);
	ptl_unlock(&stream->lock, &inner);
	ptl_unlock(&stream->flusher.lock, &outer);
	ptl_stream_put(stream);
	return err;
}

PTL_EXPORT int posix_trace_get_attr(trace_id_t trid, trace_attr_t *attr)
{
	struct ptl_stream *stream = ptl_stream_get(trid, PTL_STREAM_ANY);

	if (!stream)
		return EINVAL;
	if (attr)
		ptl_attr_put(attr,
			     stream->opened.reader ?
				     &ptl_log_reader_head(stream->opened.reader)
					      ->attr :
				     &stream->map->head->attr);
	ptl_stream_put(stream);
	return attr ? 0 : EINVAL;
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
		if (stream->opened.reader)
			ptl_status_log(stream, info);
		else
			ptl_status_live(stream, info);
		ptl_unlock(&stream->lock, &mask);
	}
	ptl_stream_put(stream);
	return info ? 0 : EINVAL;
}

PTL_EXPORT int posix_trace_get_filter(trace_id_t trid, trace_event_set_t *set)
{
	struct ptl_stream *stream = ptl_stream_get(trid, PTL_STREAM_ACTIVE);
	uint64_t word[PTL_FILTER_WORDS];
	struct ptl_lock_mask mask;

	if (!stream)
		return EINVAL;
	if (set) {
		ptl_lock(&stream->lock, &mask);
		ptl_map_filter(stream->map, word);
		ptl_unlock(&stream->lock, &mask);
		memcpy(set, word, sizeof(word));
	}
	ptl_stream_put(stream);
	return set ? 0 : EINVAL;
}

PTL_EXPORT int posix_trace_set_filter(trace_id_t trid,
				      const trace_event_set_t *set, int how)
{
	uint64_t word[PTL_FILTER_WORDS];
	struct ptl_stream *stream;
	struct ptl_lock_mask mask;

	static_assert(sizeof(*set) == sizeof(word), "event set");
	if (!set || how < POSIX_TRACE_SET_EVENTSET ||
	    how > POSIX_TRACE_SUB_EVENTSET)
		return EINVAL;
	stream = ptl_stream_get(trid, PTL_STREAM_ACTIVE);
	if (!stream)
		return EINVAL;
	ptl_lock(&stream->lock, &mask);
	memcpy(word, set, sizeof(word));
	stream->caller = __builtin_return_address(0);
	ptl_run_filter(stream, word, how);
	stream->caller = NULL;
	ptl_unlock(&stream->lock, &mask);
	ptl_stream_put(stream);
	return 0;
}

/* In the name of the caller, who may not be traced by the stream. */
static int record(struct ptl_stream *stream, uint32_t id, const void *data,
		  size_t size)
{
	struct ptl_map *map = stream->map;
	struct ptl_emit_as as;

	if (ptl_map_filters(map, id))
		return 0;
	if (ptl_map_state(map) != PTL_STATE_RUNNING)
		return EAGAIN;
	ptl_owner_self(&as);
	if (ptl_oneshot_running(map, &as, id, data, size, map->max_data,
				stream->caller))
		return 0;
	ptl_emit_lose(map);
	return EAGAIN;
}

PTL_EXPORT int posix_trace_trid_event_np(trace_id_t trid,
					 trace_event_id_t event,
					 const void *data, size_t size)
{
	struct ptl_stream *stream;
	struct ptl_lock_mask mask;
	int err;

	if ((event != POSIX_TRACE_UNNAMED_USEREVENT &&
	     event < PTL_ID_FIRST_USER) ||
	    event >= PTL_ID_LIMIT || (!data && size > 0))
		return EINVAL;
	stream = ptl_stream_get(trid, PTL_STREAM_ACTIVE);
	if (!stream)
		return EINVAL;
	ptl_lock(&stream->lock, &mask);
	stream->caller = __builtin_return_address(0);
	err = record(stream, event, data, size);
	stream->caller = NULL;
	ptl_unlock(&stream->lock, &mask);
	ptl_stream_put(stream);
	return err;
}

PTL_EXPORT int posix_trace_flush(trace_id_t trid)
{
	struct ptl_stream *stream = ptl_stream_get(trid, PTL_STREAM_LOGGED);
	struct ptl_lock_mask mask;
	int err;

	if (!stream)
		return EINVAL;
	ptl_lock(&stream->flusher.lock, &mask);
	stream->log.writer.patient = &mask.bits;
	err = ptl_flush_now(stream);
	stream->log.writer.patient = NULL;
	ptl_unlock(&stream->flusher.lock, &mask);
	ptl_stream_put(stream);
	return err;
}
