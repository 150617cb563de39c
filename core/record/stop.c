/* SPDX-License-Identifier: MIT */
#include "core/record/stop.h"

#include "core/format/sysevents.h"
#include "core/record/emit.h"
#include "core/record/oneshot.h"
#include "core/record/slots.h"
#include "core/shm/bridge.h"
#include "core/shm/controller.h"
#include "core/sys/clock.h"
#include "core/sys/syscall.h"

#define ASK_NS UINT64_C(100000000)

void ptl_stop(struct ptl_map *map, const void *caller)
{
	struct ptl_emit_as as;
	int32_t reason = 0;

	if (!ptl_head_change(map->head, PTL_STATE_RUNNING, 0))
		return;
	ptl_bridge_mirror(map);
	/* Every thread that still saw RUNNING has read its clock by now, so no
	 * event is later than STOP.  Pairs with ptl_fastpath_record() and
	 * reserve(). */
	ptl_sys_membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED);
	ptl_owner_self(&as);
	if (!ptl_map_filters(map, PTL_EV_STOP) &&
	    !ptl_oneshot(map, &as, PTL_EV_STOP, &reason, sizeof(reason),
			 sizeof(reason), caller))
		/* The stream was full, then, and has stopped by itself. */
		ptl_emit_full(map, 0);
}

/* One thread at a time, and for a first time when the stream is not new. */
static bool is_time(struct ptl_map *map)
{
	uint64_t now = ptl_clock_ns(CLOCK_MONOTONIC);
	uint64_t last = atomic_load_explicit(&map->vain[PTL_VAIN_CONTROLLER],
					     memory_order_relaxed);

	return now - last >= ASK_NS &&
	       atomic_compare_exchange_strong_explicit(
		       &map->vain[PTL_VAIN_CONTROLLER], &last, now,
		       memory_order_relaxed, memory_order_relaxed) &&
	       last != 0;
}

/* What is recorded for a log waits for who completes that, or another
 * controller; what does not fit is counted. */
void ptl_stop_orphan(struct ptl_map *map)
{
	if (!map->log->has_log && ptl_slots_may_call() && is_time(map) &&
	    ptl_controller_left(map))
		ptl_stop(map, NULL);
}
