/* SPDX-License-Identifier: MIT */
/*
 * START is read though it was stored a moment later than its time, when a
 * reader had just found that there was nothing more.
 */
#include "core/format/record.h"
#include "core/stream/stream.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

/* Puts START, the last event there is, so much before the time up to which the
 * reader has closed. */
static void make_earlier(struct ptl_stream *stream, uint64_t ticks)
{
	struct ptl_map *map = stream->map;
	uint64_t time = stream->reading.closed - ticks, *word = NULL;

	for (uint32_t i = 0; i < map->nr_chunks; i++)
		for (uint64_t at = 0; at < map->chunk_size;) {
			struct ptl_record rec;

			if (!ptl_record_parse(ptl_map_chunk(map, i) + at,
					      map->chunk_size - at, &rec))
				break;
			if (rec.committed && rec.id == POSIX_TRACE_START)
				word = (void *)(ptl_map_chunk(map, i) + at);
			at += rec.bytes;
		}
	if (!word)
		return;
	word[0] = (word[0] & UINT32_MAX) | time << 32;
	word[1] =
		(word[1] & PTL_ADDR_MASK) | time >> 32 << PTL_RECORD_ADDR_BITS;
}

static void check(trace_id_t trid, trace_event_id_t id, uint64_t ticks)
{
	struct ptl_stream *stream = ptl_stream_get(trid, PTL_STREAM_ACTIVE);
	struct event ev;

	while (event_next(trid, &ev))
		;
	stream_start(trid);
	make_earlier(stream, ticks);
	event_put(id, 1);
	stream_stop(trid);
	ok(event_next(trid, &ev) && ev.info.posix_event_id == POSIX_TRACE_START,
	   "START");
	ok(event_next(trid, &ev) && ev.info.posix_event_id == id, "the event");
	ok(event_next(trid, &ev) && ev.info.posix_event_id == POSIX_TRACE_STOP,
	   "STOP");
	ptl_stream_put(stream);
}

int main(void)
{
	trace_event_id_t id = event_id("an event");
	trace_id_t trid = stream_make(0, NULL);

	plan(6);
	stream_only_user(trid);
	check(trid, id, 100);
	check(trid, id, 100);
	stream_end(trid);
	return done();
}
