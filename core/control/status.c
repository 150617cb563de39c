/* SPDX-License-Identifier: MIT */
#include "core/control/status.h"

#include "core/format/logfile.h"
#include "core/format/chunk_words.h"

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

void ptl_status_live(struct ptl_stream *stream,
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
		atomic_load_explicit(&stream->flusher.is_busy,
				     memory_order_relaxed) ?
			POSIX_TRACE_FLUSHING :
			POSIX_TRACE_NOT_FLUSHING;
	info->posix_stream_flush_error = atomic_exchange_explicit(
		&stream->flusher.error, 0, memory_order_relaxed);
	log = atomic_fetch_and_explicit(&stream->map->log->log_status,
					~PTL_LOG_OVERRUN, memory_order_relaxed);
	info->posix_log_overrun_status = overrun_status(log & PTL_LOG_OVERRUN);
	info->posix_log_full_status =
		log & PTL_LOG_FULL ? POSIX_TRACE_FULL : POSIX_TRACE_NOT_FULL;
}

void ptl_status_log(const struct ptl_stream *stream,
		    struct posix_trace_status_info *info)
{
	const struct ptl_log_end *end = &stream->opened.end;

	*info = (struct posix_trace_status_info){
		POSIX_TRACE_SUSPENDED,
		POSIX_TRACE_NOT_FULL,
		POSIX_TRACE_NO_OVERRUN,
		POSIX_TRACE_NOT_FLUSHING,
		0,
		POSIX_TRACE_NO_OVERRUN,
		POSIX_TRACE_NOT_FULL,
	};
	if (!stream->opened.has_end)
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
