/* SPDX-License-Identifier: MIT */
/*
 * Telling of gaps.  How far a loss of a LOOP stream is told stands in the
 * segment, for who comes after our death.
 */
#include "core/flush/overflow.h"

#include "core/format/logfile.h"
#include "core/format/sysevents.h"
#include "core/record/oneshot.h"
#include "core/stream/full.h"
#include "core/sys/clock.h"

#include <string.h>

/* Relaxed: words that change under the flush lock alone, or, after our death,
 * in the process that recovers the log. */
static uint64_t get(const _Atomic uint64_t *word)
{
	return atomic_load_explicit(word, memory_order_relaxed);
}

static void set(_Atomic uint64_t *word, uint64_t value)
{
	atomic_store_explicit(word, value, memory_order_relaxed);
}

/* Writers' losses become ours to tell; who is killed between the two steps
 * leaves them in both places, not in none. */
static void take_up(struct ptl_map *map)
{
	struct ptl_shm_log *log = map->log;
	uint64_t since = atomic_load_explicit(&map->head->lost_since,
					      memory_order_relaxed);

	/* Pairs with ptl_loss_since(). */
	while (since) {
		if (get(&log->overflow_due) == 0 ||
		    (!get(&log->resume_due) && since < get(&log->overflow_due)))
			set(&log->overflow_due, since);
		if (atomic_compare_exchange_weak_explicit(
			    &map->head->lost_since, &since, 0,
			    memory_order_acq_rel, memory_order_relaxed))
			break;
	}
}

/*
 * What was lost during the last pass, after what that pass has copied in spite
 * of it: it goes on with those, and is lost again after them.
 */
static int tell_late(struct ptl_copy *pass)
{
	struct ptl_batch *batch = &pass->batch;
	struct ptl_shm_log *log = batch->stream->map->log;
	uint64_t since = get(&log->overflow_due),
		 last = batch->stream->log.last_copied;
	int err;

	if (since == 0 || get(&log->resume_due) || since >= last)
		return 0;
	err = ptl_batch_own(batch, PTL_EV_OVERFLOW, PTL_RANK_BEFORE, since, "",
			    0);
	if (!err)
		err = ptl_batch_own(batch, PTL_EV_RESUME, PTL_RANK_BEFORE,
				    since + 1, "", 0);
	if (!err)
		err = ptl_batch_write(batch);
	if (!err)
		set(&log->overflow_due, last + 1);
	return err;
}

int ptl_overflow_take(struct ptl_copy *pass)
{
	struct ptl_map *map = pass->batch.stream->map;
	struct ptl_shm_log *log = map->log;
	int err;

	if (!ptl_stream_loops(pass->batch.stream))
		return 0;
	take_up(map);
	err = tell_late(pass);
	pass->batch.gap = get(&log->resume_due) ? get(&log->resume_due) :
						  get(&log->overflow_due);
	return err;
}

int ptl_overflow_tell(struct ptl_copy *pass)
{
	struct ptl_batch *batch = &pass->batch;
	struct ptl_map *map = batch->stream->map;
	struct ptl_shm_log *log = map->log;
	uint64_t since = get(&log->overflow_due), after = batch->after;
	uint64_t more = get(&map->head->lost_since);
	int err = 0;

	if (!ptl_stream_loops(batch->stream))
		return 0;
	/* Lost while we copied, before what we found: the same loss. */
	if (after && more && more < after)
		atomic_compare_exchange_strong_explicit(
			&map->head->lost_since, &more, 0, memory_order_relaxed,
			memory_order_relaxed);
	/* A LOOP log that begins later tells it as its own. */
	if (since && !get(&log->resume_due) && since >= pass->from)
		err = ptl_batch_own(batch, PTL_EV_OVERFLOW, PTL_RANK_BEFORE,
				    since, "", 0);
	if (!err && after && batch->gap >= PTL_MAX(pass->from, 1))
		err = ptl_batch_own(batch, PTL_EV_RESUME, PTL_RANK_BEFORE,
				    after, "", 0);
	if (!err)
		err = ptl_batch_write(batch);
	if (err)
		return err;
	if (after || since)
		set(&log->resume_due, after ? 0 : since);
	if (after)
		set(&log->overflow_due, 0);
	return 0;
}

static void read_filter(struct ptl_stream *stream, uint64_t *word)
{
	struct ptl_lock_mask mask;

	ptl_lock(&stream->lock, &mask);
	ptl_map_filter(stream->map, word);
	ptl_unlock(&stream->lock, &mask);
}

/*
 * Lets a full stream run whose START was told with this filter.  Who changed
 * it meanwhile left it to us to tell.
 */
static void run(struct ptl_stream *stream, const uint64_t *told)
{
	uint64_t change[2][PTL_FILTER_WORDS];
	struct ptl_map *map = stream->map;
	struct ptl_lock_mask mask;
	struct ptl_emit_as as;

	ptl_owner_self(&as);
	memcpy(change[0], told, sizeof(change[0]));
	ptl_lock(&stream->lock, &mask);
	ptl_map_filter(map, change[1]);
	if (memcmp(change[0], change[1], sizeof(change[0])) == 0 ||
	    ptl_map_filters(map, PTL_EV_FILTER) ||
	    ptl_oneshot(map, &as, PTL_EV_FILTER, change, sizeof(change),
			sizeof(change), NULL))
		ptl_head_change(map->head, PTL_STATE_FULL, PTL_STATE_RUNNING);
	else /* The next pass says START again. */
		atomic_store_explicit(&map->head->stop_counter, PTL_STOP_TOLD,
				      memory_order_relaxed);
	ptl_unlock(&stream->lock, &mask);
}

/* STOP, and OVERFLOW if there is a loss; and unless it is the last time, that
 * it goes on, with this filter. */
static int tell_full(struct ptl_batch *batch, const struct ptl_full *full,
		     uint64_t lost, const uint64_t *filter)
{
	int32_t reason = 1;
	int err = 0;

	if (!full->told)
		err = ptl_batch_own(batch, PTL_EV_STOP, PTL_RANK_AFTER,
				    full->stop, &reason, sizeof(reason));
	if (!err && lost)
		err = ptl_batch_own(batch, PTL_EV_OVERFLOW, PTL_RANK_AFTER,
				    PTL_MAX(lost, full->stop), "", 0);
	if (!err && lost && filter)
		err = ptl_batch_own(batch, PTL_EV_RESUME, PTL_RANK_BEFORE,
				    full->start, "", 0);
	if (!err && filter)
		err = ptl_batch_own(batch, PTL_EV_START, PTL_RANK_BEFORE,
				    full->start, filter,
				    PTL_FILTER_WORDS * sizeof(*filter));
	return err ? err : ptl_batch_write(batch);
}

int ptl_overflow_restart(struct ptl_copy *pass, bool last)
{
	struct ptl_stream *stream = pass->batch.stream;
	struct ptl_map *map = stream->map;
	uint64_t filter[PTL_FILTER_WORDS];
	struct ptl_full full;
	int err;

	/* At the last, it is PTL_STATE_DEAD as well. */
	if (!(ptl_map_state(map) & PTL_STATE_FULL))
		return 0;
	/* First: START is later than what was lost. */
	take_up(map);
	ptl_full_take(stream, &full);
	if (!last)
		read_filter(stream, filter);
	err = tell_full(&pass->batch, &full, get(&map->log->overflow_due),
			last ? NULL : filter);
	if (err) {
		ptl_full_put_back(stream, &full);
		return err;
	}
	set(&map->log->overflow_due, 0);
	stream->restarted = full.start;
	if (!last)
		run(stream, filter);
	return 0;
}
