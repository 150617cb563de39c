/* SPDX-License-Identifier: MIT */
/*
 * A pass goes over the chunks, copies the records of each span into packets,
 * and appends them to the log; only then are they consumed.  If the append
 * fails they stay where they are, for the next pass or for a recoverer; if we
 * are killed in between, the recoverer sees in the packets how far each chunk
 * has come.
 *
 * In a LOOP stream a writer may take a chunk over while it is copied, so
 * there each piece is consumed before it counts.
 */
#include "core/flush.h"

#include "core/chunk.h"
#include "core/clock.h"
#include "core/emit.h"
#include "core/logpack.h"
#include "core/names.h"
#include "core/sys.h"
#include "core/sysevents.h"
#include "core/timeline.h"

#include <string.h>

#define BUFFER_SIZE (1024u * 1024)
#define REAP_INTERVAL_NS UINT64_C(100000000)

/* Packets under construction, and the chunks to consume once written. */
struct batch {
	struct ptl_stream *stream;
	size_t room;
	size_t used;
	struct ptl_log_packet *packet; /* the open one, or NULL */
	uint64_t events;
	uint32_t first, count; /* chunks copied from, in order */
};

static size_t buffer_size(const struct ptl_stream *stream)
{
	return BUFFER_SIZE +
	       2 * ptl_align8(ptl_map_max_record(stream->map->max_data));
}

static size_t cursors_size(const struct ptl_stream *stream)
{
	return stream->map->nr_chunks * sizeof(*stream->cursor);
}

static void *allocate(size_t size)
{
	void *p = ptl_sys_mmap(NULL, size, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

int ptl_flush_init(struct ptl_stream *stream)
{
	stream->cursor = allocate(cursors_size(stream));
	if (!stream->cursor)
		return ENOMEM;
	if (stream->kind != PTL_STREAM_LOGGED)
		return 0;
	stream->buffer_size = buffer_size(stream);
	stream->buffer = allocate(stream->buffer_size);
	return stream->buffer ? 0 : ENOMEM;
}

static bool loops(const struct ptl_stream *stream)
{
	return stream->map->head->attr.stream_policy == POSIX_TRACE_LOOP;
}

static int append(struct ptl_stream *stream, void *packets, size_t size)
{
	int err = ptl_log_append(&stream->log, packets, size);

	if (err) {
		stream->flush_error = err;
		return err;
	}
	atomic_store_explicit(&stream->map->log->end, stream->log.end,
			      memory_order_relaxed);
	return 0;
}

/* What was written is consumed; chunks that have no more are freed. */
static void consume(struct batch *batch)
{
	struct ptl_stream *stream = batch->stream;
	struct ptl_map *map = stream->map;
	struct ptl_record rec;

	for (uint32_t n = 0; n < batch->count; n++) {
		uint32_t i = (batch->first + n) % map->nr_chunks;
		struct ptl_cursor *cursor = &stream->cursor[i];

		if (cursor->gen == 0 || !ptl_cursor_consume(map, i, cursor))
			continue;
		/* What a leaver hardly used is left for the next to go on. */
		if (ptl_cursor_peek(map, i, cursor, PTL_PATIENCE_ORDER, &rec) ==
			    PTL_PEEK_ALL &&
		    (cursor->pos > map->chunk_size / 2 ||
		     ptl_own_state(atomic_load_explicit(
			     &map->table[i].own, memory_order_relaxed)) ==
			     PTL_CHUNK_CLOSED))
			ptl_chunk_free(map, i, cursor->gen, ptl_slot_tid);
	}
}

/* Writes the batch.  On failure the cursors go back to what is consumed. */
static int write_batch(struct batch *batch)
{
	struct ptl_stream *stream = batch->stream;
	int err = 0;

	if (batch->used)
		err = append(stream, stream->buffer, batch->used);
	if (err) {
		for (uint32_t n = 0; n < batch->count; n++)
			stream->cursor[(batch->first + n) %
				       stream->map->nr_chunks]
				.gen = 0;
	} else {
		stream->events += batch->events;
		atomic_store_explicit(&stream->map->log->events, stream->events,
				      memory_order_relaxed);
		consume(batch);
	}
	batch->first += batch->count ? batch->count - 1 : 0;
	batch->count = batch->count ? 1 : 0;
	batch->used = 0;
	batch->packet = NULL;
	batch->events = 0;
	return err;
}

static bool same_span(const struct ptl_log_packet *packet,
		      const struct ptl_shm_span *span)
{
	return memcmp(&packet->span, span, sizeof(*span)) == 0;
}

/* One record into the packet of its span.  False: the buffer is full. */
static bool put(struct batch *batch, const struct ptl_shm_span *span,
		const struct ptl_record *rec, uint32_t chunk, uint32_t gen)
{
	unsigned char *buffer = batch->stream->buffer;
	const unsigned char *record = (const unsigned char *)rec->data -
				      (rec->bytes - ptl_align8(rec->data_size));
	uint64_t counter = ptl_record_counter(rec->time, span->counter);
	struct ptl_log_packet *packet = batch->packet;

	if (batch->used + sizeof(*packet) + rec->bytes > batch->room)
		return false;
	if (!packet || !same_span(packet, span) || packet->chunk != chunk ||
	    packet->chunk_gen != gen) {
		packet = (void *)(buffer + batch->used);
		batch->used += ptl_log_pack_begin(packet, PTL_PACKET_EVENTS);
		packet->span = *span;
		packet->chunk = chunk;
		packet->chunk_gen = gen;
		packet->first = packet->last = counter;
		batch->packet = packet;
	}
	memcpy((unsigned char *)packet + packet->size, record, rec->bytes);
	packet->size += rec->bytes;
	packet->nr_events++;
	packet->first = PTL_MIN(packet->first, counter);
	packet->last = PTL_MAX(packet->last, counter);
	batch->used += rec->bytes;
	batch->events++;
	return true;
}

/* Takes back what was put of a chunk that a writer took over meanwhile. */
static void take_back(struct batch *batch, size_t used, uint64_t events)
{
	batch->used = used;
	batch->events = events;
	batch->packet = NULL;
}

static int copy_chunk(struct batch *batch, uint32_t i, bool last)
{
	struct ptl_stream *stream = batch->stream;
	struct ptl_map *map = stream->map;
	struct ptl_cursor *cursor = &stream->cursor[i];
	enum ptl_patience patience =
		last ? PTL_PATIENCE_LAST : PTL_PATIENCE_ORDER;
	size_t used = batch->used;
	uint64_t events = batch->events;
	struct ptl_record rec;
	int err = 0;

	while (ptl_cursor_peek(map, i, cursor, patience, &rec) ==
	       PTL_PEEK_EVENT) {
		if (rec.bytes > batch->room - sizeof(struct ptl_log_packet)) {
			/* No writer of ours made that. */
			ptl_cursor_step(cursor, &rec);
			continue;
		}
		if (!put(batch, &cursor->span, &rec, i, cursor->gen)) {
			if (loops(stream) &&
			    !ptl_cursor_consume(map, i, cursor))
				take_back(batch, used, events);
			err = write_batch(batch);
			if (err)
				return err;
			used = 0;
			events = 0;
			continue;
		}
		ptl_cursor_step(cursor, &rec);
		batch->packet->chunk_end = cursor->pos;
	}
	if (loops(stream) && !ptl_cursor_consume(map, i, cursor))
		take_back(batch, used, events);
	batch->packet = NULL;
	return 0;
}

/* An event of the controller's own, straight into the batch. */
static void put_own(struct batch *batch, uint32_t id, uint64_t counter,
		    const void *data, size_t size)
{
	struct ptl_emit_as as;
	struct ptl_shm_span span = {0};
	struct ptl_record rec = {.time = counter & PTL_TIME_MASK};
	struct {
		uint64_t word[2];
		unsigned char data[2 * PTL_ID_LIMIT / 8];
	} record = {0};

	ptl_emit_self(&as);
	span = (struct ptl_shm_span){.pid = as.pid,
				     .tid = as.tid,
				     .thread = as.thread,
				     .counter = counter,
				     .image = as.image};
	record.word[0] =
		ptl_record_word0(counter, id, PTL_RECORD_COMMITTED, size);
	record.word[1] = ptl_record_word1(counter, 0);
	memcpy(record.data, data, size);
	rec.data = record.data;
	rec.data_size = size;
	rec.bytes = ptl_record_bytes(size, false);
	batch->packet = NULL;
	put(batch, &span, &rec, UINT32_MAX, 0);
	batch->packet = NULL;
}

/* What LOOP lost since the last time, and where it went on. */
static void put_loss(struct batch *batch)
{
	struct ptl_map *map = batch->stream->map;
	uint64_t since;

	if (!loops(batch->stream))
		return;
	since = atomic_exchange_explicit(&map->head->lost_since, 0,
					 memory_order_relaxed);
	if (!since)
		return;
	if (!ptl_map_filters(map, PTL_EV_OVERFLOW))
		put_own(batch, PTL_EV_OVERFLOW, since, "", 0);
	if (!ptl_map_filters(map, PTL_EV_RESUME))
		put_own(batch, PTL_EV_RESUME, ptl_clock_now(map->clock), "", 0);
}

/*
 * A stream that stopped because it was full: tells when, and lets it run
 * again now that there is room.
 */
static int restart(struct batch *batch, bool last)
{
	struct ptl_map *map = batch->stream->map;
	struct ptl_shm_head *head = map->head;
	uint32_t full = PTL_STATE_FULL;
	uint64_t stop, now;
	int32_t reason = 1;
	int err;

	if (ptl_map_state(map) != full)
		return 0;
	now = ptl_clock_now(map->clock);
	stop = atomic_exchange_explicit(&head->stop_counter, 0,
					memory_order_relaxed);
	if (!ptl_map_filters(map, PTL_EV_STOP))
		put_own(batch, PTL_EV_STOP, stop ? stop : now, &reason,
			sizeof(reason));
	if (!last && !ptl_map_filters(map, PTL_EV_START))
		put_own(batch, PTL_EV_START, now, (const void *)head->filter,
			sizeof(head->filter));
	err = write_batch(batch);
	if (!err && !last)
		atomic_compare_exchange_strong_explicit(
			&head->state, &full, PTL_STATE_RUNNING,
			memory_order_relaxed, memory_order_relaxed);
	return err;
}

static struct batch batch_of(struct ptl_stream *stream)
{
	return (struct batch){.stream = stream, .room = stream->buffer_size};
}

/* Looking for the dead takes system calls: not at every pass. */
static void reap(struct ptl_stream *stream, bool last)
{
	uint64_t now = ptl_clock_ns(CLOCK_MONOTONIC);

	if (!last && now - stream->last_deep < REAP_INTERVAL_NS)
		return;
	stream->last_deep = now;
	ptl_chunk_reap(stream->map);
}

static int copy_all(struct batch *batch, bool last)
{
	struct ptl_map *map = batch->stream->map;

	if (!ptl_slot_tid)
		ptl_slot_mine();
	reap(batch->stream, last);
	put_loss(batch);
	for (uint32_t i = 0; i < map->nr_chunks; i++) {
		int err;

		if (batch->count == 0)
			batch->first = i;
		batch->count = i - batch->first + 1;
		err = copy_chunk(batch, i, last);
		if (err)
			return err;
	}
	return write_batch(batch);
}

/* An anchor later than all events so far, if there are new ones. */
static int write_clock(struct ptl_stream *stream)
{
	uint64_t packet[(sizeof(struct ptl_log_packet) + 32) / 8];
	struct ptl_shm_anchor anchor;

	if (stream->events == stream->clock_events)
		return 0;
	stream->clock_events = stream->events;
	anchor = ptl_timeline_extend(stream->map);
	ptl_log_pack_begin(packet, PTL_PACKET_CLOCK);
	return append(stream, packet,
		      ptl_log_pack_clock(packet, sizeof(packet), &anchor));
}

/* Names that were opened since the last time. */
static int write_types(struct ptl_stream *stream)
{
	uint32_t count = ptl_names_count(stream->names);
	char name[PTL_NAME_SIZE];
	uint64_t packet[512];
	size_t size;

	while (stream->types_written < count) {
		uint32_t n = stream->types_written;
		int err;

		size = ptl_log_pack_begin(packet, PTL_PACKET_TYPES);
		for (; n < count; n++) {
			size_t grown;

			if (ptl_names_get(stream->names, PTL_ID_FIRST_USER + n,
					  name) != 0)
				continue;
			grown = ptl_log_pack_type(packet, sizeof(packet),
						  PTL_ID_FIRST_USER + n, name,
						  "");
			if (!grown)
				break;
			size = grown;
		}
		err = append(stream, packet, size);
		if (err)
			return err;
		stream->types_written = n;
	}
	return 0;
}

int ptl_flush_pass(struct ptl_stream *stream, bool last)
{
	struct batch batch = batch_of(stream);
	int err;

	atomic_store_explicit(&stream->flushing, true, memory_order_relaxed);
	/* Names before the events that use them: a cut log can tell both. */
	err = write_types(stream);
	if (!err)
		err = copy_all(&batch, last);
	if (!err)
		err = write_clock(stream);
	if (!err)
		err = restart(&batch, last);
	atomic_store_explicit(&stream->flushing, false, memory_order_relaxed);
	return err;
}

static int write_mark(struct ptl_stream *stream, uint32_t id)
{
	struct batch batch = batch_of(stream);

	if (ptl_map_filters(stream->map, id))
		return 0;
	put_own(&batch, id, ptl_clock_now(stream->map->clock), "", 0);
	return write_batch(&batch);
}

int ptl_flush_now(struct ptl_stream *stream)
{
	int err = write_mark(stream, PTL_EV_FLUSH_START);

	if (!err)
		err = ptl_flush_pass(stream, false);
	if (!err)
		err = write_mark(stream, PTL_EV_FLUSH_STOP);
	return err;
}

int ptl_flush_end(struct ptl_stream *stream, const struct ptl_log_end *end)
{
	uint64_t packet[PTL_LOG_PACK_END_SIZE / 8];
	int err = write_types(stream);

	if (err)
		return err;
	return append(stream, packet, ptl_log_pack_end(packet, end));
}
