/* SPDX-License-Identifier: MIT */
/*
 * The pass.  In a LOOP stream a writer may take a chunk over while it is
 * copied, so there each piece is consumed before it counts.
 */
#include "core/flush/copy.h"

#include "core/format/logfile.h"
#include "core/buffer/counter.h"
#include "core/flush/log_policy.h"
#include "core/format/sysevents.h"
#include "core/sys/clock.h"

#include <errno.h>

/* As many as a pass looks at to cut itself into slices. */
#define SAMPLES 512

struct ptl_copy ptl_copy_of(struct ptl_stream *stream, bool last)
{
	struct ptl_copy pass = {
		.batch = {.stream = stream},
		.patience = last ? PTL_PATIENCE_LAST : PTL_PATIENCE_ORDER,
		.begun = ptl_counter_now(stream->map->clock),
		.until = UINT64_MAX,
		.discard = ptl_log_policy_full(stream),
	};

	if (!last && ptl_log_policy_left(stream) != UINT64_MAX)
		pass.until = pass.begun;
	return pass;
}

int ptl_copy_begin(struct ptl_copy *pass)
{
	struct ptl_batch mark = {.stream = pass->batch.stream};
	int err = ptl_batch_own(&mark, PTL_EV_FLUSH_START, PTL_RANK_AFTER,
				pass->begun, "", 0);

	if (!err)
		err = ptl_batch_write(&mark);
	pass->marked = err != 0;
	/* Relaxed: it changes under the flush lock alone. */
	if (!err)
		atomic_store_explicit(&pass->batch.stream->flusher.is_open,
				      true, memory_order_relaxed);
	return err;
}

/* Takes back what was put of a chunk that a writer took over meanwhile: the
 * writer counted it. */
static void take_back(struct ptl_batch *batch, const struct ptl_batch *before,
		      struct ptl_cursor *cursor)
{
	batch->used = before->used;
	batch->events = before->events;
	batch->after = before->after;
	batch->packet = NULL;
	cursor->copied = cursor->since = cursor->discarded = 0;
}

/*
 * The events at the cursor, as many as go in one piece.  0; an error; EMSGSIZE
 * if the log cannot hold the first; EAGAIN if room was made for it and the
 * cursor must be asked again: a writer may have taken the chunk over meanwhile.
 */
static int copy_run(struct ptl_copy *pass, uint32_t n,
		    const struct ptl_record *rec, struct ptl_batch *before)
{
	struct ptl_batch *batch = &pass->batch;
	struct ptl_stream *stream = batch->stream;
	struct ptl_cursor *cursor = &stream->cursor[n];
	uint32_t i;
	const struct ptl_map *map = ptl_stream_chunk(stream, n, &i);
	uint64_t counter = ptl_cursor_counter(cursor, rec);
	uint64_t until = counter < batch->gap ?
				 PTL_MIN(pass->until, batch->gap - 1) :
				 pass->until;
	uint64_t room = ptl_batch_space(batch);
	struct ptl_chunk_run run;
	int err;

	if (rec->before + rec->bytes > room) {
		if (ptl_stream_loops(stream) &&
		    !ptl_cursor_consume(map, i, cursor))
			take_back(batch, before, cursor);
		err = ptl_batch_room(batch, rec->before + rec->bytes);
		*before = *batch;
		return err ? err : EAGAIN;
	}
	run = ptl_cursor_run(map, i, cursor, rec, until, room);
	ptl_batch_put(batch, &cursor->span, ptl_cursor_at(map, i, cursor, rec),
		      &run, n, cursor->life);
	ptl_cursor_step_run(cursor, rec, &run);
	batch->packet->chunk_end = cursor->pos;
	if (cursor->since == 0)
		cursor->since = run.first;
	cursor->copied += run.events;
	return 0;
}

/* The log has no room for it: an UNTIL_FULL one none for what follows. */
static int discard(struct ptl_copy *pass, uint32_t n,
		   const struct ptl_record *rec)
{
	struct ptl_stream *stream = pass->batch.stream;
	struct ptl_cursor *cursor = &stream->cursor[n];
	int err;

	if (!pass->discard && ptl_log_policy_left(stream) != UINT64_MAX) {
		err = ptl_batch_close(&pass->batch);
		if (err)
			return err;
		pass->discard = true;
	}
	if (cursor->since == 0)
		cursor->since = ptl_cursor_counter(cursor, rec);
	cursor->discarded++;
	ptl_cursor_step(cursor, rec);
	return 0;
}

/* The next event of a chunk, if there is one now. */
static bool find(struct ptl_copy *pass, uint32_t n,
		 const struct ptl_batch *before, struct ptl_record *rec)
{
	struct ptl_stream *stream = pass->batch.stream;
	struct ptl_cursor *cursor = &stream->cursor[n];
	uint64_t life = cursor->life;
	uint32_t i;
	const struct ptl_map *map = ptl_stream_chunk(stream, n, &i);
	bool found = ptl_cursor_peek(map, i, cursor, pass->patience, rec) ==
		     PTL_PEEK_EVENT;

	/* The chunk began anew: what was put of it is void, and only this look
	 * shows that. */
	if (cursor->life != life)
		take_back(&pass->batch, before, cursor);
	return found;
}

static int copy_chunk(struct ptl_copy *pass, uint32_t n)
{
	struct ptl_batch *batch = &pass->batch, before = *batch;
	struct ptl_stream *stream = batch->stream;
	struct ptl_cursor *cursor = &stream->cursor[n];
	uint32_t since = cursor->begun, i;
	const struct ptl_map *map = ptl_stream_chunk(stream, n, &i);
	struct ptl_record rec;
	int err;

	while (map && ptl_cursor_goes_on(cursor, since) &&
	       find(pass, n, &before, &rec)) {
		uint64_t counter = ptl_cursor_counter(cursor, &rec);

		if (counter > pass->until)
			break;
		if (pass->marked) {
			/* With the present time, later than the first event's,
			 * which may be void. */
			pass->begun = ptl_counter_now(map->clock);
			err = ptl_copy_begin(pass);
			if (err)
				return err;
		}
		err = pass->discard || counter < pass->from ?
			      EMSGSIZE :
			      copy_run(pass, n, &rec, &before);
		if (err == EAGAIN)
			continue;
		if (err == EMSGSIZE)
			err = discard(pass, n, &rec);
		if (err)
			return err;
	}
	if (map && ptl_stream_loops(stream) &&
	    !ptl_cursor_consume(map, i, cursor))
		take_back(batch, &before, cursor);
	batch->packet = NULL;
	return 0;
}

/* When a chunk was claimed.  In the controller's own (chunk.c) is START, the
 * first event of all, even if it was claimed again since; but in a ring its
 * STOP is to stay. */
static uint64_t claimed(const struct ptl_stream *stream, uint32_t n)
{
	uint32_t i;
	const struct ptl_map *map = ptl_stream_chunk(stream, n, &i);

	if (!map)
		return UINT64_MAX;
	return n == 0 && !ptl_stream_loops(stream) && !stream->log.rotation.nr ?
		       0 :
		       atomic_load_explicit(&map->table[i].seq,
					    memory_order_relaxed);
}

/* The chunks as they were claimed, so that a log that is cut off, or a ring
 * that comes round, loses what is at its end; mostly they are in this order. */
static void put_in_order(struct ptl_stream *stream)
{
	for (uint32_t n = 1; n < stream->nr_chunks; n++) {
		uint32_t i = stream->order[n], to = n;
		uint64_t when = claimed(stream, i);

		for (; to > 0 && claimed(stream, stream->order[to - 1]) > when;
		     to--)
			stream->order[to] = stream->order[to - 1];
		stream->order[to] = i;
	}
}

static int copy_all(struct ptl_copy *pass)
{
	struct ptl_batch *batch = &pass->batch;
	struct ptl_stream *stream = batch->stream;

	put_in_order(stream);
	batch->count = 0;
	for (uint32_t n = 0; n < stream->nr_chunks; n++) {
		int err;

		if (batch->count == 0)
			batch->first = n;
		batch->count = n - batch->first + 1;
		err = copy_chunk(pass, stream->order[n]);
		if (err)
			return err;
	}
	return ptl_batch_write(batch);
}

/* How much there is to copy, at most. */
static uint64_t measure(const struct ptl_copy *pass)
{
	const struct ptl_stream *stream = pass->batch.stream;
	uint64_t bytes = 0;

	for (uint32_t n = 0; n < stream->nr_chunks; n++) {
		struct ptl_cursor cursor = stream->cursor[n];
		uint32_t i;
		const struct ptl_map *map = ptl_stream_chunk(stream, n, &i);
		struct ptl_record rec;

		if (map && ptl_cursor_peek(map, i, &cursor, pass->patience,
					   &rec) == PTL_PEEK_EVENT)
			bytes += map->chunk_size - cursor.pos;
	}
	return bytes;
}

/* Times between which there is about the same to copy. */
struct samples {
	uint64_t step;	/* bytes */
	uint64_t bytes; /* since the last */
	uint32_t nr;
	uint64_t at[SAMPLES];
};

static void add_sample(struct samples *samples, uint64_t counter)
{
	uint32_t to = samples->nr;

	samples->bytes = 0;
	if (to == SAMPLES)
		return;
	for (; to > 0 && samples->at[to - 1] > counter; to--)
		samples->at[to] = samples->at[to - 1];
	samples->at[to] = counter;
	samples->nr++;
}

static void sample_chunk(const struct ptl_copy *pass, uint32_t n,
			 struct samples *samples)
{
	struct ptl_cursor cursor = pass->batch.stream->cursor[n];
	uint32_t since = cursor.begun, i;
	const struct ptl_map *map = ptl_stream_chunk(pass->batch.stream, n, &i);
	struct ptl_record rec;
	struct ptl_chunk_run run;

	while (map && ptl_cursor_goes_on(&cursor, since) &&
	       ptl_cursor_peek(map, i, &cursor, pass->patience, &rec) ==
		       PTL_PEEK_EVENT &&
	       ptl_cursor_counter(&cursor, &rec) <= pass->until) {
		run = ptl_cursor_run(map, i, &cursor, &rec, pass->until,
				     samples->step);
		ptl_cursor_step_run(&cursor, &rec, &run);
		samples->bytes += run.bytes;
		if (samples->bytes >= samples->step)
			add_sample(samples, run.last);
	}
}

/*
 * A ring voids its slots as they were written.  So what is more than a slot is
 * written a slice of time after the other: else the newest events of a chunk
 * that was claimed long ago would go before older ones.
 */
static int copy_slices(struct ptl_copy *pass)
{
	const struct ptl_stream *stream = pass->batch.stream;
	const uint64_t slot = stream->log.rotation.slot, bytes = measure(pass);
	struct samples samples;
	uint64_t until = pass->until;
	uint32_t per_slice;
	int err = 0;

	samples.step = PTL_MAX(slot / 8, bytes / SAMPLES) + 1;
	samples.bytes = samples.nr = 0;
	for (uint32_t i = 0; bytes > slot && i < stream->nr_chunks; i++)
		sample_chunk(pass, i, &samples);
	per_slice = (uint32_t)PTL_MAX(slot / samples.step, 1);
	for (uint32_t n = per_slice; n < samples.nr && !err; n += per_slice) {
		pass->until = samples.at[n];
		err = copy_all(pass);
	}
	pass->until = until;
	return err ? err : copy_all(pass);
}

int ptl_copy_events(struct ptl_copy *pass)
{
	int err = 0;

	do {
		pass->batch.too_large = false;
		err = pass->batch.stream->log.rotation.nr ? copy_slices(pass) :
							    copy_all(pass);
	} while (err && pass->batch.too_large);
	return err;
}
