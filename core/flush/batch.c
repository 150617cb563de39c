/* SPDX-License-Identifier: MIT */
/*
 * Only when its packet is in the log is an event consumed.  If the append
 * fails it stays in its chunk, for the next pass or for a recoverer; if we are
 * killed in between, the recoverer sees in the packets how far each chunk has
 * come.
 */
#include "core/flush/batch.h"

#include "core/buffer/chunk.h"
#include "core/buffer/cursor.h"
#include "core/buffer/loss.h"
#include "core/buffer/unlogged.h"
#include "core/flush/log_policy.h"
#include "core/format/sysevents.h"
#include "core/log/packet.h"
#include "core/record/owner.h"
#include "core/sys/syscall.h"
#include "core/shm/geometry.h"

#include <string.h>

/* With what is copied it stays in the cache of one CPU. */
#define BUFFER_SIZE (256u * 1024)
#define HEADER sizeof(struct ptl_log_packet)

/* Of a disk that is nearly full all is taken but so much, which what has to end
 * the log may find. */
#define SMALL_BATCH 4096

int ptl_batch_init(struct ptl_stream *stream)
{
	size_t size =
		BUFFER_SIZE +
		2 * ptl_align8(ptl_geometry_record(stream->map->max_data));
	void *p = ptl_sys_mmap(NULL, size, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return ENOMEM;
	stream->buffer = p;
	stream->buffer_size = size;
	stream->log.batch_size = size;
	return 0;
}

static uint64_t room_now(const struct ptl_stream *stream)
{
	return PTL_MIN(stream->log.batch_size - HEADER,
		       ptl_log_policy_room(stream));
}

/* What was written is consumed; chunks that have no more are freed. */
static void consume(struct ptl_batch *batch)
{
	struct ptl_stream *stream = batch->stream;
	struct ptl_record rec;

	for (uint32_t n = 0; n < batch->count; n++) {
		uint32_t nr = stream->order[batch->first + n], i;
		struct ptl_map *map = ptl_stream_chunk(stream, nr, &i);
		struct ptl_cursor *cursor = &stream->cursor[nr];

		if (cursor->discarded)
			ptl_log_policy_discard(stream, cursor->discarded);
		cursor->copied = cursor->discarded = cursor->since = 0;
		if (!map || cursor->gen == 0 ||
		    !ptl_cursor_consume(map, i, cursor))
			continue;
		/* As far as it is consumed, or as the thread that took it over
		 * left it. */
		atomic_store_explicit(
			&map->table[i].logged,
			atomic_load_explicit(&map->table[i].read,
					     memory_order_relaxed),
			memory_order_relaxed);
		/* What a leaver hardly used is left for the next to go on. */
		if (ptl_cursor_peek(map, i, cursor, PTL_PATIENCE_ORDER, &rec) ==
			    PTL_PEEK_ALL &&
		    (cursor->pos > map->chunk_size / 2 ||
		     ptl_own_state(atomic_load_explicit(
			     &map->table[i].own, memory_order_relaxed)) ==
			     PTL_CHUNK_CLOSED))
			ptl_chunk_free(map, i, cursor->gen, ptl_thread.tid);
	}
}

/*
 * The log did not take what was put: it stays in its chunk.  That of a LOOP
 * stream was consumed before; if a writer has taken the chunk over since, it
 * counted only what was not.
 */
static void keep(struct ptl_batch *batch)
{
	struct ptl_stream *stream = batch->stream;

	for (uint32_t n = 0; n < batch->count; n++) {
		uint32_t nr = stream->order[batch->first + n], i;
		struct ptl_map *map = ptl_stream_chunk(stream, nr, &i);
		struct ptl_cursor *cursor = &stream->cursor[nr];
		uint64_t events = cursor->copied + cursor->discarded;
		uint64_t read;

		if (!map)
			continue;
		read = atomic_load_explicit(&map->table[i].read,
					    memory_order_relaxed);
		if (events && ptl_stream_loops(stream) &&
		    !ptl_cursor_put_back(map, i, cursor,
					 ptl_unlogged_from(map, i, read)))
			ptl_loss_add(map, events, cursor->since);
		cursor->copied = cursor->discarded = cursor->since = 0;
		cursor->gen = 0;
	}
}

/* The counters of the first and last event in the log. */
static void note_counters(struct ptl_batch *batch)
{
	struct ptl_stream *stream = batch->stream;
	const unsigned char *buffer = stream->buffer;

	for (size_t at = 0; at < batch->used;) {
		const struct ptl_log_packet *packet = (void *)(buffer + at);

		if (stream->log.first == 0 || packet->first < stream->log.first)
			stream->log.first = packet->first;
		stream->log.last = PTL_MAX(stream->log.last, packet->last);
		if (packet->chunk != UINT32_MAX)
			stream->log.last_copied =
				PTL_MAX(stream->log.last_copied, packet->last);
		at += packet->size;
	}
}

/*
 * An append is all or nothing: where there is no room for it, there may be for
 * half of it.  What the log takes then may be larger again.
 */
static void resize(struct ptl_batch *batch, int err)
{
	struct ptl_stream *stream = batch->stream;

	batch->too_large = (err == ENOSPC || err == EFBIG) &&
			   stream->log.writer.seekable && batch->events > 1 &&
			   batch->used > SMALL_BATCH;
	if (batch->too_large)
		stream->log.batch_size = PTL_MAX(batch->used / 2, SMALL_BATCH);
	else if (!err && batch->used > stream->log.batch_size / 2)
		stream->log.batch_size = PTL_MIN(stream->log.batch_size * 2,
						 stream->buffer_size);
}

int ptl_batch_write(struct ptl_batch *batch)
{
	struct ptl_stream *stream = batch->stream;
	int err = 0;

	if (batch->used)
		err = ptl_log_policy_append(stream, batch->used, batch->events);
	resize(batch, err);
	if (err) {
		batch->after = batch->after_before;
		keep(batch);
	} else {
		batch->after_before = batch->after;
		note_counters(batch);
		consume(batch);
	}
	batch->first += batch->count ? batch->count - 1 : 0;
	batch->count = batch->count ? 1 : 0;
	batch->used = 0;
	batch->packet = NULL;
	batch->events = 0;
	return err;
}

int ptl_batch_room(struct ptl_batch *batch, size_t bytes)
{
	struct ptl_stream *stream = batch->stream;
	int err = ptl_batch_write(batch);

	if (err)
		return err;
	bytes += HEADER;
	/* One record goes whole. */
	if (bytes <= stream->buffer_size - HEADER)
		stream->log.batch_size =
			PTL_MAX(stream->log.batch_size, bytes + HEADER);
	if (bytes <= room_now(stream))
		return 0;
	return bytes > stream->buffer_size - HEADER ?
		       EMSGSIZE :
		       ptl_log_policy_make_room(stream, bytes);
}

static bool same_span(const struct ptl_log_packet *packet,
		      const struct ptl_shm_span *span)
{
	return memcmp(&packet->span, span, sizeof(*span)) == 0;
}

static struct ptl_log_packet *open_packet(struct ptl_batch *batch,
					  const struct ptl_shm_span *span,
					  uint64_t counter)
{
	struct ptl_log_packet *packet =
		(void *)((unsigned char *)batch->stream->buffer + batch->used);

	batch->used += ptl_packet_begin(packet, PTL_PACKET_EVENTS);
	packet->span = *span;
	packet->first = packet->last = counter;
	packet->rank = PTL_PACKET_PLAIN;
	batch->packet = packet;
	batch->latest = 0;
	return packet;
}

static void add_records(struct ptl_batch *batch, const void *records,
			const struct ptl_chunk_run *run)
{
	struct ptl_log_packet *packet = batch->packet;

	memcpy((unsigned char *)packet + packet->size, records, run->bytes);
	packet->size += run->bytes;
	packet->nr_events += (uint32_t)run->events;
	if (run->nested || run->earliest < batch->latest)
		packet->rank |= PTL_PACKET_NESTED;
	if (!run->plain)
		packet->rank &= ~PTL_PACKET_PLAIN;
	batch->latest = PTL_MAX(batch->latest, run->latest);
	packet->first = PTL_MIN(packet->first, run->earliest);
	packet->last = PTL_MAX(packet->last, run->last);
	batch->used += run->bytes;
	batch->events += run->events;
}

uint64_t ptl_batch_space(const struct ptl_batch *batch)
{
	uint64_t room = room_now(batch->stream);

	return room - PTL_MIN(room, batch->used + HEADER);
}

void ptl_batch_put(struct ptl_batch *batch, const struct ptl_shm_span *span,
		   const void *records, const struct ptl_chunk_run *run,
		   uint32_t chunk, uint64_t life)
{
	struct ptl_log_packet *packet = batch->packet;

	if (!packet || !same_span(packet, span) || packet->chunk != chunk ||
	    packet->chunk_life != life) {
		packet = open_packet(batch, span, run->first);
		packet->chunk = chunk;
		packet->chunk_life = life;
	}
	add_records(batch, records, run);
	if (batch->gap && run->first >= batch->gap &&
	    (batch->after == 0 || run->first < batch->after))
		batch->after = run->first;
}

static void own_span(const struct ptl_map *map, struct ptl_shm_span *span,
		     uint64_t counter)
{
	struct ptl_emit_as as;

	ptl_owner_self(&as);
	*span = (struct ptl_shm_span){.pid = as.pid,
				      .tid = as.tid,
				      .thread = as.thread,
				      .counter = counter,
				      .image = as.image,
				      .pidns = ptl_map_pidns(map, as.pidns)};
}

static void put_own(struct ptl_batch *batch, uint32_t id, uint32_t rank,
		    uint64_t counter, const void *data, size_t size)
{
	struct ptl_shm_span span;
	struct {
		uint64_t word[2];
		unsigned char data[2 * PTL_ID_LIMIT / 8];
	} record = {0};

	own_span(batch->stream->map, &span, counter);
	record.word[0] =
		ptl_record_word0(counter, id, PTL_RECORD_COMMITTED, size);
	record.word[1] = ptl_record_word1(counter, 0);
	memcpy(record.data, data, size);
	open_packet(batch, &span, counter)->rank = rank;
	batch->packet->chunk = UINT32_MAX;
	add_records(
		batch, &record,
		&(struct ptl_chunk_run){.bytes = ptl_record_bytes(size, false),
					.events = 1,
					.first = counter,
					.last = counter,
					.earliest = counter,
					.latest = counter});
	batch->packet = NULL;
}

int ptl_batch_close(struct ptl_batch *batch)
{
	struct ptl_stream *stream = batch->stream;
	int32_t reason = 1;
	int err = ptl_batch_write(batch);

	if (err || ptl_log_policy_full(stream))
		return err;
	if (!ptl_map_filters(stream->map, PTL_EV_STOP)) {
		put_own(batch, PTL_EV_STOP, PTL_RANK_AFTER,
			stream->log.last ? stream->log.last :
					   stream->map->log->anchor[0].counter,
			&reason, sizeof(reason));
		err = ptl_batch_write(batch);
	}
	if (!err)
		ptl_log_policy_set_full(stream);
	return err;
}

int ptl_batch_own(struct ptl_batch *batch, uint32_t id, uint32_t rank,
		  uint64_t counter, const void *data, size_t size)
{
	struct ptl_stream *stream = batch->stream;
	size_t bytes = ptl_record_bytes(size, false);
	int err = 0;

	if (ptl_map_filters(stream->map, id) || ptl_log_policy_full(stream))
		return 0;
	if (batch->used + HEADER + bytes > room_now(stream))
		err = ptl_batch_room(batch, bytes);
	if (err == EMSGSIZE) {
		ptl_log_policy_discard(stream, 1);
		return ptl_log_policy_loops(stream) ? 0 :
						      ptl_batch_close(batch);
	}
	if (!err)
		put_own(batch, id, rank, counter, data, size);
	return err;
}
