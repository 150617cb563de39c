/* SPDX-License-Identifier: MIT */
/* An event for which there is no place: it is lost, and a stream that does not
 * loop is full. */
#include "core/buffer/counter.h"
#include "core/buffer/loss.h"
#include "core/record/emit.h"
#include "core/record/oneshot.h"
#include "core/record/slots.h"
#include "core/sys/wait.h"

#include <trace.h>

void ptl_emit_full(struct ptl_map *map, uint32_t from)
{
	/* What we recorded and what we lost is there before it is full. */
	if (!ptl_head_change(map->head, from, PTL_STATE_FULL))
		return;
	/* A thread that still saw it running has read its clock by now. */
	atomic_store_explicit(&map->head->stop_counter,
			      ptl_counter_now(map->clock),
			      memory_order_relaxed);
	if (ptl_slots_may_call())
		ptl_wait_wake(&map->head->flusher);
	ptl_oneshot_wake(map->head);
}

void ptl_emit_lose(struct ptl_map *map)
{
	uint64_t now = ptl_counter_now(map->clock);

	/* Stopped meanwhile: it came after that. */
	if (!(ptl_map_state(map) & (PTL_STATE_RUNNING | PTL_STATE_FULL)))
		return;
	ptl_loss_add(map, 1, now);
	if (map->head->attr.stream_policy != POSIX_TRACE_LOOP)
		ptl_emit_full(map, PTL_STATE_RUNNING);
}
