/* SPDX-License-Identifier: MIT */
/*
 * Only when its packet is in the log is an event consumed.  If the append
 * fails it stays in its chunk, for the next pass or for a recoverer; if we are
 * killed in between, the recoverer sees in the packets how far each chunk has
 * come.
 *
 * APPEND: the log grows.  UNTIL_FULL: what packets of events take is counted,
 * and room is kept for the STOP that ends it.  LOOP: logring.c.
 */
#include "core/batch.h"

#include "core/chunk.h"
#include "core/cursor.h"
#include "core/hold.h"
#include "core/logpack.h"
#include "core/sys.h"
#include "core/sysevents.h"

#include <string.h>

/* With what is copied it stays in the cache of one CPU. */
#define BUFFER_SIZE (256u * 1024)
#define HEADER sizeof(struct ptl_log_packet)

int ptl_batch_init(struct ptl_stream *stream)
{
	size_t size = BUFFER_SIZE +
		      2 * ptl_align8(ptl_map_max_record(stream->map->max_data));
	void *p = ptl_sys_mmap(NULL, size, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return ENOMEM;
	stream->buffer = p;
	stream->buffer_size = size;
	return 0;
}

static uint32_t policy(const struct ptl_stream *stream)
{
	return stream->map->head->attr.log_policy;
}

static bool is_ring(const struct ptl_stream *stream)
{
	return stream->ring.nr != 0;
}

/* Which slots are in hand, before anything is in them: how far they are
 * filled, who has to go on sees in them. */
static void tell_slot(struct ptl_stream *stream)
{
	const struct ptl_logring *ring = &stream->ring;

	atomic_store_explicit(&stream->map->log->ring,
			      (uint64_t)ring->cur << 32 | ring->taken,
			      memory_order_relaxed);
}

/* Where others find it: the position, for who has to go on. */
static void tell_position(struct ptl_stream *stream)
{
	struct ptl_shm_log *log = stream->map->log;
	uint64_t end = stream->log.end;

	if (is_ring(stream) && !stream->ring.round)
		end = stream->log.end = ptl_logring_end(&stream->ring);
	atomic_store_explicit(&log->end, end, memory_order_relaxed);
	atomic_store_explicit(&log->events, stream->events,
			      memory_order_relaxed);
}

static void set_status(struct ptl_stream *stream, uint32_t bits)
{
	atomic_fetch_or_explicit(&stream->map->log->log_status, bits,
				 memory_order_relaxed);
}

static bool has_status(const struct ptl_stream *stream, uint32_t bit)
{
	return atomic_load_explicit(&stream->map->log->log_status,
				    memory_order_relaxed) &
	       bit;
}

void ptl_batch_plan(struct ptl_stream *stream, uint64_t head_size,
		    struct ptl_log_head *head)
{
	uint64_t size = stream->map->head->attr.log_size;

	if (policy(stream) == POSIX_TRACE_LOOP) {
		ptl_logring_plan(&stream->ring, head_size, size);
		head->ring_slot = stream->ring.slot;
		head->ring_slots = stream->ring.nr;
	}
}

int ptl_batch_begin(struct ptl_stream *stream)
{
	uint64_t size = stream->map->head->attr.log_size;
	int err = 0;

	stream->log_left = policy(stream) != POSIX_TRACE_UNTIL_FULL ?
				   UINT64_MAX :
				   size - PTL_MIN(size, PTL_BATCH_MARK + 8);
	if (is_ring(stream))
		err = ptl_logring_begin(&stream->ring, &stream->log);
	else if (policy(stream) == POSIX_TRACE_LOOP)
		set_status(stream, PTL_LOG_FULL); /* not even for one event */
	if (!err) {
		tell_slot(stream);
		tell_position(stream);
	}
	return err;
}

/* Behind a ring that has come round goes what must not be lost, this first;
 * if it is not there yet. */
static int begin_tail(struct ptl_stream *stream)
{
	uint64_t buf[(HEADER + sizeof(struct ptl_log_loss)) / 8];
	const struct ptl_map *map = stream->map;
	struct ptl_log_loss loss = {
		.since = stream->first_counter,
		.quiet = (uint32_t)ptl_map_filters(map, PTL_EV_OVERFLOW) |
			 (uint32_t)ptl_map_filters(map, PTL_EV_RESUME) << 1,
	};

	if (!stream->ring.round ||
	    stream->log.end > ptl_logring_end(&stream->ring))
		return 0;
	stream->log.end = ptl_logring_end(&stream->ring);
	stream->types_written = 0;
	set_status(stream, PTL_LOG_FULL);
	ptl_log_pack_begin(buf, PTL_PACKET_LOSS);
	ptl_log_pack_bytes(buf, sizeof(buf), &loss, sizeof(loss));
	return ptl_log_append(&stream->log, buf, sizeof(buf));
}

int ptl_batch_resume(struct ptl_stream *stream, const struct ptl_log_head *head,
		     uint64_t bytes)
{
	const struct ptl_shm_log *log = stream->map->log;
	uint64_t size = stream->map->head->attr.log_size;
	uint64_t kept = PTL_BATCH_MARK + 8;
	int err;

	stream->log_left = policy(stream) != POSIX_TRACE_UNTIL_FULL ?
				   UINT64_MAX :
			   size > bytes + kept ? size - bytes - kept :
						 0;
	err = ptl_logring_resume(&stream->ring, &stream->log, head,
				 (uint32_t)(log->ring >> 32),
				 (uint32_t)log->ring);
	return err ? err : begin_tail(stream);
}

bool ptl_batch_full(const struct ptl_stream *stream)
{
	return !is_ring(stream) && policy(stream) != POSIX_TRACE_APPEND &&
	       has_status(stream, PTL_LOG_FULL);
}

uint64_t ptl_batch_left(const struct ptl_stream *stream)
{
	return stream->log_left;
}

uint64_t ptl_batch_capacity(const struct ptl_stream *stream)
{
	return is_ring(stream) ? stream->ring.nr * stream->ring.slot :
				 UINT64_MAX;
}

void ptl_batch_discard(struct ptl_stream *stream, uint64_t events)
{
	atomic_fetch_add_explicit(&stream->map->log->discarded, events,
				  memory_order_relaxed);
	set_status(stream, PTL_LOG_OVERRUN | PTL_LOG_LOST);
}

static void note_error(struct ptl_stream *stream, int err)
{
	int none = 0;

	/* The first one stays until somebody asks. */
	atomic_compare_exchange_strong_explicit(&stream->flush_error, &none,
						err, memory_order_relaxed,
						memory_order_relaxed);
}

/* A slot begins with the time of what it will hold. */
static int put_anchors(struct ptl_stream *stream)
{
	uint64_t buf[(2 * HEADER + 2 * sizeof(struct ptl_shm_anchor)) / 8];
	const struct ptl_shm_log *log = stream->map->log;
	uint32_t nr = PTL_MIN(log->nr_anchors, PTL_SHM_ANCHORS);
	size_t size = ptl_log_pack_begin(buf, PTL_PACKET_CLOCK);

	for (uint32_t i = nr > 2 ? nr - 2 : 0; i < nr; i++)
		size = ptl_log_pack_clock(buf, sizeof(buf) - HEADER,
					  &log->anchor[i]);
	return size > ptl_logring_room(&stream->ring) ?
		       0 :
		       ptl_logring_append(&stream->ring, &stream->log, buf,
					  size, 0);
}

static int turn(struct ptl_stream *stream, size_t size)
{
	struct ptl_logring *ring = &stream->ring;
	uint64_t lost;
	int err = ptl_logring_turn(ring, &stream->log, size, &lost);

	if (!err)
		tell_slot(stream);
	if (lost) {
		stream->events -= PTL_MIN(lost, stream->events);
		ptl_batch_discard(stream, lost);
	}
	if (!err)
		err = begin_tail(stream);
	/* Not where a record takes it all. */
	if (!err && size + 3 * HEADER < ring->slot)
		err = put_anchors(stream);
	return err;
}

static uint64_t room_now(const struct ptl_stream *stream)
{
	size_t buffer = stream->buffer_size - HEADER;

	if (is_ring(stream))
		return PTL_MIN(buffer, ptl_logring_room(&stream->ring));
	return PTL_MIN(buffer, stream->log_left);
}

/* Appends packets of events as the policy has it. */
static int append(struct ptl_stream *stream, size_t size, uint64_t events)
{
	int err;

	if (is_ring(stream))
		err = ptl_logring_append(&stream->ring, &stream->log,
					 stream->buffer, size, events);
	else
		err = ptl_log_append(&stream->log, stream->buffer, size);
	if (err) {
		note_error(stream, err);
		return err;
	}
	if (policy(stream) == POSIX_TRACE_UNTIL_FULL)
		stream->log_left -= PTL_MIN(size, stream->log_left);
	stream->events += events;
	tell_position(stream);
	return 0;
}

/* What was written is consumed; chunks that have no more are freed. */
static void consume(struct ptl_batch *batch)
{
	struct ptl_stream *stream = batch->stream;
	struct ptl_map *map = stream->map;
	struct ptl_record rec;

	for (uint32_t n = 0; n < batch->count; n++) {
		uint32_t i = stream->order[batch->first + n];
		struct ptl_cursor *cursor = &stream->cursor[i];

		if (cursor->gen == 0 || !ptl_cursor_consume(map, i, cursor))
			continue;
		atomic_store_explicit(&map->table[i].logged, map->table[i].read,
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

/* The counters of the first and last event in the log. */
static void note_counters(struct ptl_batch *batch)
{
	struct ptl_stream *stream = batch->stream;
	const unsigned char *buffer = stream->buffer;

	for (size_t at = 0; at < batch->used;) {
		const struct ptl_log_packet *packet = (void *)(buffer + at);

		if (stream->first_counter == 0 ||
		    packet->first < stream->first_counter)
			stream->first_counter = packet->first;
		stream->last_written =
			PTL_MAX(stream->last_written, packet->last);
		if (packet->chunk != UINT32_MAX)
			stream->last_copied =
				PTL_MAX(stream->last_copied, packet->last);
		at += packet->size;
	}
}

int ptl_batch_write(struct ptl_batch *batch)
{
	struct ptl_stream *stream = batch->stream;
	int err = 0;

	if (batch->used)
		err = append(stream, batch->used, batch->events);
	if (err) {
		for (uint32_t n = 0; n < batch->count; n++)
			stream->cursor[stream->order[batch->first + n]].gen = 0;
	} else {
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
	if (bytes <= room_now(stream))
		return 0;
	if (!is_ring(stream) || bytes > stream->buffer_size - HEADER ||
	    !ptl_logring_fits(&stream->ring, bytes))
		return EMSGSIZE;
	err = turn(stream, bytes);
	if (err)
		note_error(stream, err);
	return err;
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

	batch->used += ptl_log_pack_begin(packet, PTL_PACKET_EVENTS);
	packet->span = *span;
	packet->first = packet->last = counter;
	batch->packet = packet;
	return packet;
}

static void add_records(struct ptl_batch *batch, const void *records,
			const struct ptl_run *run)
{
	struct ptl_log_packet *packet = batch->packet;

	memcpy((unsigned char *)packet + packet->size, records, run->bytes);
	packet->size += run->bytes;
	packet->nr_events += (uint32_t)run->events;
	packet->first = PTL_MIN(packet->first, run->first);
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
		   const void *records, const struct ptl_run *run,
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

static void own_span(struct ptl_shm_span *span, uint64_t counter)
{
	struct ptl_emit_as as;

	ptl_hold_self(&as);
	*span = (struct ptl_shm_span){.pid = as.pid,
				      .tid = as.tid,
				      .thread = as.thread,
				      .counter = counter,
				      .image = as.image};
}

static void put_own(struct ptl_batch *batch, uint32_t id, uint32_t rank,
		    uint64_t counter, const void *data, size_t size)
{
	struct ptl_shm_span span;
	struct {
		uint64_t word[2];
		unsigned char data[2 * PTL_ID_LIMIT / 8];
	} record = {0};

	own_span(&span, counter);
	record.word[0] =
		ptl_record_word0(counter, id, PTL_RECORD_COMMITTED, size);
	record.word[1] = ptl_record_word1(counter, 0);
	memcpy(record.data, data, size);
	open_packet(batch, &span, counter)->rank = rank;
	batch->packet->chunk = UINT32_MAX;
	add_records(batch, &record,
		    &(struct ptl_run){.bytes = ptl_record_bytes(size, false),
				      .events = 1,
				      .first = counter,
				      .last = counter});
	batch->packet = NULL;
}

int ptl_batch_close(struct ptl_batch *batch)
{
	struct ptl_stream *stream = batch->stream;
	int32_t reason = 1;
	int err = ptl_batch_write(batch);

	if (err || ptl_batch_full(stream))
		return err;
	if (!ptl_map_filters(stream->map, PTL_EV_STOP)) {
		put_own(batch, PTL_EV_STOP, PTL_RANK_AFTER,
			stream->last_written ?
				stream->last_written :
				stream->map->log->anchor[0].counter,
			&reason, sizeof(reason));
		err = ptl_batch_write(batch);
	}
	if (!err)
		set_status(stream, PTL_LOG_FULL);
	return err;
}

int ptl_batch_own(struct ptl_batch *batch, uint32_t id, uint32_t rank,
		  uint64_t counter, const void *data, size_t size)
{
	struct ptl_stream *stream = batch->stream;
	size_t bytes = ptl_record_bytes(size, false);
	int err = 0;

	if (ptl_map_filters(stream->map, id) || ptl_batch_full(stream))
		return 0;
	if (batch->used + HEADER + bytes > room_now(stream))
		err = ptl_batch_room(batch, bytes);
	if (err == EMSGSIZE) {
		ptl_batch_discard(stream, 1);
		return is_ring(stream) ? 0 : ptl_batch_close(batch);
	}
	if (!err)
		put_own(batch, id, rank, counter, data, size);
	return err;
}

int ptl_batch_other(struct ptl_stream *stream, void *packet, size_t size)
{
	struct ptl_logring *ring = &stream->ring;
	enum ptl_packet_kind kind = ((struct ptl_log_packet *)packet)->kind;
	int err = 0;

	/* Times are those of the events about them; all else must stay. */
	if (is_ring(stream) && (kind == PTL_PACKET_CLOCK ||
				(kind == PTL_PACKET_TYPES && !ring->round))) {
		if (!ptl_logring_fits(ring, size))
			return 0;
		if (size > ptl_logring_room(ring))
			err = turn(stream, size);
		if (!err)
			err = ptl_logring_append(ring, &stream->log, packet,
						 size, 0);
	} else {
		err = begin_tail(stream);
		if (!err)
			err = ptl_log_append(&stream->log, packet, size);
	}
	if (err)
		note_error(stream, err);
	else
		tell_position(stream);
	return err;
}

int ptl_batch_end(struct ptl_stream *stream)
{
	struct ptl_logring *ring = &stream->ring;
	int err = begin_tail(stream);

	if (!err && is_ring(stream) && !ring->round)
		err = ptl_log_cut(&stream->log, ptl_logring_end(ring));
	if (!err)
		ring->nr = 0;
	return err;
}
