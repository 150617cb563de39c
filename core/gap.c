/* SPDX-License-Identifier: MIT */
/*
 * Telling of gaps.  How far a loss of a LOOP stream is told stands in the
 * segment, for who comes after our death.
 */
#include "core/gap.h"

#include "core/clock.h"
#include "core/loss.h"
#include "core/sysevents.h"

void ptl_gap_take(struct ptl_pass *pass)
{
	struct ptl_map *map = pass->batch.stream->map;
	struct ptl_shm_log *log = map->log;
	uint64_t since;

	if (!ptl_stream_loops(pass->batch.stream))
		return;
	since = atomic_exchange_explicit(&map->head->lost_since, 0,
					 memory_order_relaxed);
	if (since && log->overflow_due == 0)
		log->overflow_due = since;
	pass->batch.gap = log->resume_due ? log->resume_due : log->overflow_due;
}

int ptl_gap_tell(struct ptl_pass *pass)
{
	struct ptl_batch *batch = &pass->batch;
	struct ptl_map *map = batch->stream->map;
	struct ptl_shm_log *log = map->log;
	uint64_t since = log->overflow_due, after = batch->after;
	uint64_t more = map->head->lost_since;
	int err = 0;

	/* Lost while we copied, before what we found: the same loss. */
	if (after && more && more < after)
		atomic_compare_exchange_strong_explicit(
			&map->head->lost_since, &more, 0, memory_order_relaxed,
			memory_order_relaxed);
	/* A LOOP log that begins later tells it as its own. */
	if (since && !log->resume_due && since >= pass->from)
		err = ptl_batch_own(batch, PTL_EV_OVERFLOW, PTL_RANK_BEFORE,
				    since, "", 0);
	if (!err && after && batch->gap >= PTL_MAX(pass->from, 1))
		err = ptl_batch_own(batch, PTL_EV_RESUME, PTL_RANK_BEFORE,
				    after, "", 0);
	if (!err)
		err = ptl_batch_write(batch);
	if (err)
		return err;
	if (after)
		log->overflow_due = log->resume_due = 0;
	else if (since)
		log->resume_due = since;
	return 0;
}

/* STOP, and OVERFLOW if there is a loss; and unless it is the `last' time, that
 * it goes on. */
static int tell_full(struct ptl_batch *batch, bool told, uint64_t stop,
		     uint64_t lost, uint64_t start, bool last)
{
	const struct ptl_shm_head *head = batch->stream->map->head;
	int32_t reason = 1;
	int err = 0;

	if (!told)
		err = ptl_batch_own(batch, PTL_EV_STOP, PTL_RANK_AFTER, stop,
				    &reason, sizeof(reason));
	if (!err && lost)
		err = ptl_batch_own(batch, PTL_EV_OVERFLOW, PTL_RANK_AFTER,
				    PTL_MAX(lost, stop), "", 0);
	if (!err && lost && !last)
		err = ptl_batch_own(batch, PTL_EV_RESUME, PTL_RANK_BEFORE,
				    start, "", 0);
	if (!err && !last)
		err = ptl_batch_own(batch, PTL_EV_START, PTL_RANK_BEFORE, start,
				    (const void *)head->filter,
				    sizeof(head->filter));
	return err ? err : ptl_batch_write(batch);
}

/* It could not be told: the next time. */
static void put_back(struct ptl_map *map, uint64_t stop, uint64_t lost)
{
	uint64_t none = 0;

	atomic_compare_exchange_strong_explicit(&map->head->stop_counter, &none,
						stop, memory_order_relaxed,
						memory_order_relaxed);
	if (lost)
		ptl_loss_since(map, lost);
}

int ptl_gap_restart(struct ptl_pass *pass, bool last)
{
	struct ptl_batch *batch = &pass->batch;
	struct ptl_map *map = batch->stream->map;
	struct ptl_shm_head *head = map->head;
	uint16_t full = PTL_STATE_FULL;
	uint64_t stopped, stop, lost, start;
	bool told;
	int err;

	if (ptl_map_state(map) != full)
		return 0;
	stopped = atomic_exchange_explicit(&head->stop_counter, 0,
					   memory_order_relaxed);
	lost = atomic_exchange_explicit(&head->lost_since, 0,
					memory_order_relaxed);
	/* After these: START is not before STOP. */
	start = ptl_clock_now(map->clock);
	told = stopped == PTL_STOP_TOLD;
	/* Who stopped it has not said when; or what he said is of then. */
	stop = told || stopped <= batch->stream->restarted ? start : stopped;
	err = tell_full(batch, told, stop, lost, start, last);
	if (err) {
		put_back(map, stopped, lost);
		return err;
	}
	batch->stream->restarted = start;
	if (!last)
		atomic_compare_exchange_strong_explicit(
			&head->state, &full, PTL_STATE_RUNNING,
			memory_order_relaxed, memory_order_relaxed);
	return 0;
}
