/* SPDX-License-Identifier: MIT */
/*
 * A flush: one pass over the chunks (copy.c), bounded to what the log has room
 * for (limit.c), with the events of gaps (overflow.c) and what is needed to
 * understand the events (metadata.c).
 */
#include "core/flush/flush.h"

#include "core/buffer/timeline.h"
#include "core/flush/copy.h"
#include "core/flush/limit.h"
#include "core/flush/log_policy.h"
#include "core/flush/metadata.h"
#include "core/flush/overflow.h"
#include "core/format/sysevents.h"
#include "core/log/packet.h"
#include "core/record/slots.h"
#include "core/stream/bridges.h"
#include "core/sys/clock.h"
#include "core/sys/syscall.h"

#define REAP_INTERVAL_NS UINT64_C(100000000)

int ptl_flush_init(struct ptl_stream *stream)
{
	const struct ptl_map *map = stream->map;
	void *p = ptl_sys_mmap(NULL, ptl_stream_cursors_size(map),
			       PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return ENOMEM;
	stream->cursor = p;
	stream->order = (void *)(stream->cursor + ptl_stream_most_chunks(map));
	ptl_stream_grow(stream);
	return stream->kind == PTL_STREAM_LOGGED ? ptl_batch_init(stream) : 0;
}

int ptl_flush_begin(struct ptl_stream *stream, int fd)
{
	struct ptl_map *map = stream->map;
	struct ptl_log_head head = {
		.stream = map->id,
		.clock = map->clock,
		.uid = map->uid,
		.attr = map->head->attr,
		.anchor = {map->log->anchor[0]},
		.where.clock_offset = map->log->clock_offset,
	};
	int err;

	head.anchor[1] = ptl_timeline_extend(map);
	ptl_log_policy_plan(stream, sizeof(head), &head);
	err = ptl_log_create(&stream->log.writer, fd, &head);
	if (err)
		return err;
	map->log->dev = stream->log.writer.dev;
	map->log->ino = stream->log.writer.ino;
	ptl_log_path(fd, map->log->path);
	map->log->has_log = 1;
	return ptl_log_policy_begin(stream);
}

/* Looking for the dead takes system calls: not at every pass. */
static void reap(struct ptl_stream *stream, bool last)
{
	uint64_t ns = ptl_clock_ns(CLOCK_MONOTONIC);

	if (!last && ns - stream->last_deep < REAP_INTERVAL_NS)
		return;
	stream->last_deep = ns;
	if (last)
		ptl_bridges_reap(stream);
	else
		ptl_bridges_reap_still(stream);
}

/* The log ends here; what is left in the chunks is of no use to it. */
static int close_log(struct ptl_copy *pass)
{
	int err = ptl_batch_close(&pass->batch);

	if (err)
		return err;
	pass->discard = true;
	pass->until = UINT64_MAX;
	return ptl_copy_events(pass);
}

static int copy(struct ptl_copy *pass, bool last)
{
	struct ptl_stream *stream = pass->batch.stream;
	bool full;
	int err;

	/* Names before the events that use them: a cut log has both. */
	err = ptl_metadata_types(stream);
	if (err)
		return err;
	if (!ptl_thread.tid)
		ptl_slot_mine();
	ptl_stream_grow(stream);
	ptl_bridges_look(stream);
	reap(stream, last);
	err = ptl_overflow_take(pass);
	if (err)
		return err;
	full = ptl_limit_pass(pass);
	err = ptl_copy_events(pass);
	if (!err && full)
		err = close_log(pass);
	if (!err)
		err = ptl_overflow_tell(pass);
	if (!err)
		err = ptl_metadata_clock(stream, last);
	if (!err)
		err = ptl_overflow_restart(pass, last);
	if (!err)
		ptl_bridges_restart(stream);
	return err;
}

static void set_flushing(struct ptl_stream *stream, bool on)
{
	atomic_store_explicit(&stream->flusher.is_busy, on,
			      memory_order_relaxed);
}

int ptl_flush_settle(struct ptl_stream *stream)
{
	struct ptl_copy pass = ptl_copy_of(stream, false);
	int err;

	if (!atomic_load_explicit(&stream->flusher.is_open,
				  memory_order_relaxed))
		return 0;
	err = ptl_batch_own(&pass.batch, PTL_EV_FLUSH_STOP, PTL_RANK_EVENT,
			    pass.begun, "", 0);
	if (!err)
		err = ptl_batch_write(&pass.batch);
	if (!err)
		atomic_store_explicit(&stream->flusher.is_open, false,
				      memory_order_relaxed);
	return err;
}

int ptl_flush_now(struct ptl_stream *stream)
{
	struct ptl_copy pass;
	int err;

	set_flushing(stream, true);
	err = ptl_flush_settle(stream);
	pass = ptl_copy_of(stream, false);
	if (!err)
		err = ptl_copy_begin(&pass);
	if (!err)
		err = copy(&pass, false);
	if (!err)
		err = ptl_flush_settle(stream);
	ptl_bridges_tell(stream, err != 0);
	set_flushing(stream, false);
	return err;
}

int ptl_flush_auto(struct ptl_stream *stream)
{
	struct ptl_copy pass = ptl_copy_of(stream, false);
	int err;

	set_flushing(stream, true);
	pass.marked = !atomic_load_explicit(&stream->flusher.is_open,
					    memory_order_relaxed);
	err = copy(&pass, false);
	ptl_bridges_tell(stream, err != 0);
	set_flushing(stream, false);
	return err;
}

int ptl_flush_last(struct ptl_stream *stream)
{
	struct ptl_copy pass = ptl_copy_of(stream, true);
	int err;

	set_flushing(stream, true);
	err = copy(&pass, true);
	set_flushing(stream, false);
	return err;
}

int ptl_flush_until(struct ptl_stream *stream, uint64_t until)
{
	struct ptl_copy pass = ptl_copy_of(stream, true);

	pass.until = until;
	return copy(&pass, true);
}

int ptl_flush_end(struct ptl_stream *stream, const struct ptl_log_end *end)
{
	uint64_t packet[PTL_LOG_PACK_END_SIZE / 8];
	int err = ptl_log_policy_end(stream);

	if (!err)
		err = ptl_metadata_types(stream);
	if (!err)
		err = ptl_metadata_untraced(stream);
	if (err)
		return err;
	return ptl_log_policy_other(stream, packet,
				    ptl_packet_end(packet, end));
}
