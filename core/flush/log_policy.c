/* SPDX-License-Identifier: MIT */
/*
 * APPEND: the log grows.  UNTIL_FULL: what packets of events take is counted,
 * and room is kept for the STOP that ends it.  LOOP: rotation.c.
 */
#include "core/flush/log_policy.h"

#include "core/buffer/timeline.h"
#include "core/format/sysevents.h"
#include "core/log/packet.h"

#include <errno.h>

#define HEADER sizeof(struct ptl_log_packet)

static bool is_ring(const struct ptl_stream *stream)
{
	return stream->log.rotation.nr != 0;
}

/* Which slots are in hand, for recovery, before anything is in them: how far
 * they are filled they show themselves. */
static void tell_slot(struct ptl_stream *stream)
{
	const struct ptl_rotation *ring = &stream->log.rotation;

	atomic_store_explicit(&stream->map->log->ring,
			      (uint64_t)ring->cur << 32 | ring->taken,
			      memory_order_relaxed);
}

/* The position in the segment, for status and recovery. */
static void tell_position(struct ptl_stream *stream)
{
	struct ptl_shm_log *log = stream->map->log;
	uint64_t end = stream->log.writer.end;

	if (is_ring(stream) && !stream->log.rotation.round)
		end = stream->log.writer.end =
			ptl_rotation_end(&stream->log.rotation);
	atomic_store_explicit(&log->end, end, memory_order_relaxed);
	atomic_store_explicit(&log->events, stream->log.events,
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

/* As the log's head has them: the segment's attributes are whatever those who
 * share it write there. */
static void note_limits(struct ptl_stream *stream,
			const struct ptl_log_head *head)
{
	stream->log.policy = head->attr.log_policy;
	stream->log.size = head->attr.log_size;
}

void ptl_log_policy_plan(struct ptl_stream *stream, uint64_t head_size,
			 struct ptl_log_head *head)
{
	note_limits(stream, head);
	if (stream->log.policy == POSIX_TRACE_LOOP) {
		ptl_rotation_plan(&stream->log.rotation, head_size,
				  stream->log.size);
		head->ring_slot = stream->log.rotation.slot;
		head->ring_slots = stream->log.rotation.nr;
	}
}

/* What an UNTIL_FULL log has room for that has so many bytes of events. */
static uint64_t room_left(const struct ptl_stream *stream, uint64_t bytes)
{
	uint64_t size = stream->log.size;

	size -= PTL_MIN(size, PTL_POLICY_MARK + 8);
	return stream->log.policy == POSIX_TRACE_UNTIL_FULL ?
		       size - PTL_MIN(size, bytes) :
		       UINT64_MAX;
}

int ptl_log_policy_begin(struct ptl_stream *stream)
{
	int err = 0;

	stream->log.left = room_left(stream, 0);
	if (!stream->log.writer.seekable)
		ptl_pipetail_begin(&stream->log.tail, stream->log.writer.fd,
				   stream->buffer_size);
	if (is_ring(stream))
		err = ptl_rotation_begin(&stream->log.rotation,
					 &stream->log.writer);
	else if (stream->log.policy == POSIX_TRACE_LOOP)
		set_status(stream, PTL_LOG_FULL); /* not even for one event */
	if (!err) {
		tell_slot(stream);
		tell_position(stream);
	}
	return err;
}

/* Appends to the log.  Of a pipe whose reader leaves, what it has got is
 * counted. */
static int append(struct ptl_stream *stream, void *packets, size_t size)
{
	struct ptl_log_writer *log = &stream->log.writer;
	bool was_broken = log->broken;
	int err = ptl_log_append(log, packets, size);
	uint64_t events;

	if (log->seekable || was_broken)
		return err;
	ptl_pipetail_add(&stream->log.tail, packets, size);
	if (err && stream->log.tail.base) {
		events = ptl_pipetail_events(&stream->log.tail, log->unread);
		if (events > stream->log.events)
			stream->log.half = events - stream->log.events;
		else
			ptl_log_policy_discard(stream,
					       stream->log.events - events);
		stream->log.events = events;
		log->end += size - PTL_MIN(log->end + size, log->unread);
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
		.since = stream->log.first,
		.quiet = (uint32_t)ptl_map_filters(map, PTL_EV_OVERFLOW) |
			 (uint32_t)ptl_map_filters(map, PTL_EV_RESUME) << 1,
	};

	if (!stream->log.rotation.round ||
	    stream->log.writer.end > ptl_rotation_end(&stream->log.rotation))
		return 0;
	stream->log.writer.end = ptl_rotation_end(&stream->log.rotation);
	stream->log.types = 0;
	set_status(stream, PTL_LOG_FULL);
	ptl_packet_begin(buf, PTL_PACKET_LOSS);
	ptl_packet_bytes(buf, sizeof(buf), &loss, sizeof(loss));
	return append(stream, buf, sizeof(buf));
}

int ptl_log_policy_resume(struct ptl_stream *stream,
			  const struct ptl_log_head *head, uint64_t bytes)
{
	uint64_t ring = atomic_load_explicit(&stream->map->log->ring,
					     memory_order_relaxed);
	int err;

	note_limits(stream, head);
	stream->log.left = room_left(stream, bytes);
	err = ptl_rotation_resume(&stream->log.rotation, &stream->log.writer,
				  head, (uint32_t)(ring >> 32), (uint32_t)ring);
	return err ? err : begin_tail(stream);
}

bool ptl_log_policy_loops(const struct ptl_stream *stream)
{
	return is_ring(stream);
}

void ptl_log_policy_set_full(struct ptl_stream *stream)
{
	set_status(stream, PTL_LOG_FULL);
}

bool ptl_log_policy_full(const struct ptl_stream *stream)
{
	return !is_ring(stream) && stream->log.policy != POSIX_TRACE_APPEND &&
	       has_status(stream, PTL_LOG_FULL);
}

uint64_t ptl_log_policy_left(const struct ptl_stream *stream)
{
	return stream->log.left;
}

uint64_t ptl_log_policy_capacity(const struct ptl_stream *stream)
{
	return is_ring(stream) ?
		       stream->log.rotation.nr * stream->log.rotation.slot :
		       UINT64_MAX;
}

void ptl_log_policy_discard(struct ptl_stream *stream, uint64_t events)
{
	atomic_fetch_add_explicit(&stream->map->log->discarded, events,
				  memory_order_relaxed);
	set_status(stream, PTL_LOG_OVERRUN | PTL_LOG_LOST);
}

static void note_error(struct ptl_stream *stream, int err)
{
	uint32_t first = 0;
	int none = 0;

	/* The first one stays until it is asked for, and for the log's end. */
	atomic_compare_exchange_strong_explicit(&stream->flusher.error, &none,
						err, memory_order_relaxed,
						memory_order_relaxed);
	atomic_compare_exchange_strong_explicit(
		&stream->map->log->error, &first, (uint32_t)err,
		memory_order_relaxed, memory_order_relaxed);
}

/* A slot begins with the time of what it will hold. */
static int put_anchors(struct ptl_stream *stream)
{
	uint64_t buf[(2 * HEADER + 2 * sizeof(struct ptl_shm_anchor)) / 8];
	const struct ptl_shm_log *log = stream->map->log;
	uint32_t nr = ptl_timeline_count(stream->map);
	size_t size = ptl_packet_begin(buf, PTL_PACKET_CLOCK);

	for (uint32_t i = nr > 2 ? nr - 2 : 0; i < nr; i++)
		size = ptl_packet_clock(buf, sizeof(buf) - HEADER,
					&log->anchor[i]);
	return size > ptl_rotation_room(&stream->log.rotation) ?
		       0 :
		       ptl_rotation_append(&stream->log.rotation,
					   &stream->log.writer, buf, size, 0);
}

static int turn(struct ptl_stream *stream, size_t size)
{
	struct ptl_rotation *ring = &stream->log.rotation;
	uint64_t lost;
	int err = ptl_rotation_turn(ring, &stream->log.writer, size, &lost);

	if (!err)
		tell_slot(stream);
	if (lost) {
		stream->log.events -= PTL_MIN(lost, stream->log.events);
		ptl_log_policy_discard(stream, lost);
	}
	if (!err)
		err = begin_tail(stream);
	/* Not where a record takes it all. */
	if (!err && size + 3 * HEADER < ring->slot)
		err = put_anchors(stream);
	return err;
}

uint64_t ptl_log_policy_room(const struct ptl_stream *stream)
{
	return is_ring(stream) ? ptl_rotation_room(&stream->log.rotation) :
				 stream->log.left;
}

int ptl_log_policy_make_room(struct ptl_stream *stream, size_t size)
{
	int err;

	if (!is_ring(stream) || !ptl_rotation_fits(&stream->log.rotation, size))
		return EMSGSIZE;
	err = turn(stream, size);
	if (err)
		note_error(stream, err);
	return err;
}

int ptl_log_policy_append(struct ptl_stream *stream, size_t size,
			  uint64_t events)
{
	int err;

	if (is_ring(stream))
		err = ptl_rotation_append(&stream->log.rotation,
					  &stream->log.writer, stream->buffer,
					  size, events);
	else
		err = append(stream, stream->buffer, size);
	if (err) {
		note_error(stream, err);
		return err;
	}
	if (stream->log.policy == POSIX_TRACE_UNTIL_FULL)
		stream->log.left -= PTL_MIN(size, stream->log.left);
	stream->log.events += events;
	tell_position(stream);
	return 0;
}

int ptl_log_policy_other(struct ptl_stream *stream, void *packet, size_t size)
{
	struct ptl_rotation *ring = &stream->log.rotation;
	enum ptl_packet_kind kind = ((struct ptl_log_packet *)packet)->kind;
	int err = 0;

	/* Times are those of the events about them; all else must stay. */
	if (is_ring(stream) && (kind == PTL_PACKET_CLOCK ||
				(kind == PTL_PACKET_TYPES && !ring->round))) {
		if (!ptl_rotation_fits(ring, size))
			return 0;
		if (size > ptl_rotation_room(ring))
			err = turn(stream, size);
		if (!err)
			err = ptl_rotation_append(ring, &stream->log.writer,
						  packet, size, 0);
	} else {
		err = begin_tail(stream);
		if (!err)
			err = append(stream, packet, size);
	}
	if (err)
		note_error(stream, err);
	else
		tell_position(stream);
	return err;
}

int ptl_log_policy_end(struct ptl_stream *stream)
{
	struct ptl_rotation *ring = &stream->log.rotation;
	int err = begin_tail(stream);

	if (!err && is_ring(stream) && !ring->round)
		err = ptl_log_cut(&stream->log.writer, ptl_rotation_end(ring));
	if (!err)
		ring->nr = 0;
	return err;
}
