/* SPDX-License-Identifier: MIT */
/* Clearing the chunks and the log. */
#include "core/flush/clear.h"

#include "core/format/logfile.h"
#include "core/buffer/chunk.h"
#include "core/buffer/counter.h"
#include "core/flush/log_policy.h"
#include "core/record/slots.h"
#include "core/shm/bridge.h"
#include "core/stream/attr.h"
#include "core/stream/bridges.h"
#include "core/stream/reader.h"

static void drop_old(struct ptl_stream *stream)
{
	struct ptl_record rec;

	for (uint32_t n = 0; n < stream->nr_chunks; n++) {
		struct ptl_cursor *cursor = &stream->cursor[n];
		uint32_t i;
		struct ptl_map *map = ptl_stream_chunk(stream, n, &i);
		enum ptl_peek peek;

		if (!map)
			continue;
		/* Peek passes over what was cleared. */
		peek = ptl_cursor_peek(map, i, cursor, PTL_PATIENCE_PASS, &rec);
		if (cursor->gen && ptl_cursor_consume(map, i, cursor) &&
		    peek == PTL_PEEK_ALL)
			ptl_chunk_free(map, i, cursor->gen, ptl_thread.tid);
	}
}

static int clear_log(struct ptl_stream *stream)
{
	struct ptl_shm_log *log = stream->map->log;
	int err = 0;

	atomic_store_explicit(&log->overflow_due, 0, memory_order_relaxed);
	atomic_store_explicit(&log->resume_due, 0, memory_order_relaxed);
	atomic_store_explicit(&log->discarded, 0, memory_order_relaxed);
	atomic_store_explicit(&log->log_status, 0, memory_order_relaxed);
	atomic_store_explicit(&stream->flusher.error, 0, memory_order_relaxed);
	atomic_store_explicit(&log->error, 0, memory_order_relaxed);
	atomic_store_explicit(&stream->flusher.is_open, false,
			      memory_order_relaxed);
	if (!stream->log.writer.seekable)
		return 0;
	/* First: a log shorter than it should be cannot be recovered. */
	atomic_store_explicit(&log->end, sizeof(struct ptl_log_head),
			      memory_order_relaxed);
	err = ptl_log_cut(&stream->log.writer, sizeof(struct ptl_log_head));
	stream->log.events = 0;
	stream->log.types = 0;
	stream->log.first = stream->log.last = 0;
	stream->log.last_copied = 0;
	stream->log.clock = stream->log.clock_ns = 0;
	return err ? err : ptl_log_policy_begin(stream);
}

/* As the stream was when it was made; but the names stay, and if it runs, it
 * runs. */
static void clear_head(struct ptl_stream *stream)
{
	static const uint64_t no_filter[PTL_FILTER_WORDS];
	struct ptl_shm_head *head = stream->map->head;

	ptl_map_set_filter(stream->map, no_filter);
	atomic_store_explicit(&head->lost, 0, memory_order_relaxed);
	atomic_store_explicit(&head->lost_since, 0, memory_order_relaxed);
	atomic_store_explicit(&head->overrun, 0, memory_order_relaxed);
	atomic_store_explicit(&head->stop_counter, 0, memory_order_relaxed);
	ptl_reader_clear(stream);
	/* One that stopped by itself stays so, but for moments that the
	 * flusher would have ended. */
	ptl_head_change(head, PTL_STATE_FULL,
			ptl_attr_flushes(&head->attr) ? PTL_STATE_RUNNING : 0);
	ptl_bridge_mirror(stream->map);
}

int ptl_clear_stream(struct ptl_stream *stream)
{
	int err;

	/* From here on whoever looks passes over what is older. */
	atomic_store_explicit(&stream->map->head->cleared,
			      ptl_counter_now(stream->map->clock),
			      memory_order_relaxed);
	if (!ptl_thread.tid)
		ptl_slot_mine();
	ptl_bridge_mirror(stream->map);
	ptl_stream_grow(stream);
	ptl_bridges_look(stream);
	ptl_bridges_reap(stream);
	drop_old(stream);
	err = stream->kind == PTL_STREAM_LOGGED ? clear_log(stream) : 0;
	clear_head(stream);
	return err;
}
