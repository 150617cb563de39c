/* SPDX-License-Identifier: MIT */
/*
 * What does not fit.  An UNTIL_FULL log has no gap from the first event to the
 * last.  So a pass into one copies what is not later than its beginning, in
 * whatever order; and if that is more than the log still holds, a moment is
 * looked for so that what is not later than it fits, and there the log ends.
 * A LOOP log has no gap up to the last: it gets the chunks in the order they
 * were claimed in, and of more than it can hold only what is not earlier than
 * such a moment.
 */
#include "core/flush/limit.h"

#include "core/format/logfile.h"
#include "core/buffer/chunk.h"
#include "core/flush/log_policy.h"

#include <string.h>

#define HEADER sizeof(struct ptl_log_packet)

/* What the packets would take of all between `from' and `until'. */
static uint64_t cost(const struct ptl_copy *pass, uint64_t from, uint64_t until)
{
	const struct ptl_stream *stream = pass->batch.stream;
	uint64_t bytes = 0;

	for (uint32_t n = 0; n < stream->nr_chunks; n++) {
		struct ptl_cursor cursor = stream->cursor[n];
		struct ptl_shm_span span = {0};
		uint32_t since = cursor.begun, i;
		const struct ptl_map *map = ptl_stream_chunk(stream, n, &i);
		struct ptl_record rec;

		while (map && ptl_cursor_goes_on(&cursor, since) &&
		       ptl_cursor_peek(map, i, &cursor, pass->patience, &rec) ==
			       PTL_PEEK_EVENT &&
		       ptl_cursor_counter(&cursor, &rec) <= until) {
			if (ptl_cursor_counter(&cursor, &rec) < from) {
				ptl_cursor_step(&cursor, &rec);
				continue;
			}
			if (memcmp(&span, &cursor.span, sizeof(span)) != 0)
				bytes += HEADER;
			span = cursor.span;
			bytes += rec.before + rec.bytes;
			ptl_cursor_step(&cursor, &rec);
		}
	}
	/* A full buffer is written, and a packet begun anew. */
	return bytes + bytes / (stream->log.batch_size / 2) * HEADER;
}

/* Could it be more than there is room for? */
static bool may_exceed(const struct ptl_stream *stream, uint64_t room)
{
	uint64_t bytes = 0;

	for (uint32_t n = 0; n < stream->nr_chunks; n++) {
		uint32_t i;
		const struct ptl_map *map = ptl_stream_chunk(stream, n, &i);

		if (map && ptl_own_state(atomic_load_explicit(
				   &map->table[i].own, memory_order_relaxed)) !=
				   PTL_CHUNK_FREE)
			bytes += map->chunk_size + HEADER;
	}
	return bytes > room;
}

/* What the pass may say itself. */
static uint64_t marks(const struct ptl_copy *pass)
{
	bool open = atomic_load_explicit(&pass->batch.stream->flusher.is_open,
					 memory_order_relaxed);
	unsigned int nr = pass->marked + (pass->marked || open);

	return (nr + (pass->batch.gap ? 2 : 0)) * PTL_POLICY_MARK;
}

/* The last moment before which it all fits, or the first from which. */
static uint64_t moment(const struct ptl_copy *pass, uint64_t room, bool end)
{
	uint64_t low = 0, high = pass->begun;

	while (low < high) {
		uint64_t middle = low + (high - low + end) / 2;
		bool fits = end ? cost(pass, 0, middle) <= room :
				  cost(pass, middle, UINT64_MAX) <= room;

		if (end == fits)
			low = middle + !end;
		else
			high = middle - end;
	}
	return low;
}

bool ptl_limit_pass(struct ptl_copy *pass)
{
	const struct ptl_stream *stream = pass->batch.stream;
	uint64_t left = ptl_log_policy_left(stream);
	bool end = left != UINT64_MAX;
	uint64_t room = end ? left : ptl_log_policy_capacity(stream);

	if (pass->discard || room == UINT64_MAX)
		return false;
	room -= PTL_MIN(room, marks(pass));
	if (!may_exceed(stream, room) || cost(pass, 0, pass->until) <= room)
		return false;
	if (end)
		pass->until = moment(pass, room, true);
	else
		pass->from = moment(pass, room, false);
	return end;
}
