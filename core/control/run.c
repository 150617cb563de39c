/* SPDX-License-Identifier: MIT */
/* START, STOP and FILTER: each is recorded in such an order with the change
 * itself that no event contradicts it. */
#include "core/control/run.h"

#include "core/buffer/counter.h"
#include "core/format/sysevents.h"
#include "core/record/emit.h"
#include "core/record/oneshot.h"
#include "core/record/stop.h"
#include "core/shm/bridge.h"

void ptl_run_start(struct ptl_stream *stream)
{
	struct ptl_map *map = stream->map;
	uint64_t filter[PTL_FILTER_WORDS];
	struct ptl_emit_as as;

	if (ptl_map_state(map) != 0)
		return;
	ptl_map_filter(map, filter);
	ptl_owner_self(&as);
	if (!ptl_map_filters(map, PTL_EV_START) &&
	    !ptl_oneshot(map, &as, PTL_EV_START, filter, sizeof(filter),
			 sizeof(filter), stream->caller)) {
		/* The stream is full, then, and runs when there is room. */
		atomic_store_explicit(&map->head->stop_counter, PTL_STOP_TOLD,
				      memory_order_relaxed);
		ptl_head_change(map->head, 0, PTL_STATE_FULL);
		return;
	}
	/* START is in its chunk, and the filter as it says, before anybody can
	 * record after it. */
	ptl_head_change(map->head, 0, PTL_STATE_RUNNING);
	ptl_bridge_mirror(map);
}

void ptl_run_stop(struct ptl_stream *stream)
{
	ptl_stop(stream->map, stream->caller);
}

/*
 * FILTER, unless it was filtered and stays so.  Whoever reads must know what is
 * missing from here on, FILTER itself too: if there is no room for it the
 * stream is full, and the START that ends this tells of the filter.
 */
static void tell_filter(struct ptl_stream *stream,
			const uint64_t change[2][PTL_FILTER_WORDS])
{
	struct ptl_map *map = stream->map;
	struct ptl_emit_as as;

	if (ptl_map_state(map) != PTL_STATE_RUNNING ||
	    (change[0][0] & change[1][0]) >> PTL_EV_FILTER & 1)
		return;
	ptl_owner_self(&as);
	if (!ptl_oneshot(map, &as, PTL_EV_FILTER, change, 2 * sizeof(*change),
			 2 * sizeof(*change), stream->caller))
		ptl_emit_lose(map);
}

void ptl_run_filter(struct ptl_stream *stream, const uint64_t *set, int how)
{
	uint64_t change[2][PTL_FILTER_WORDS], both[PTL_FILTER_WORDS];
	uint64_t *from = change[0], *to = change[1];

	ptl_map_filter(stream->map, from);
	for (unsigned int i = 0; i < PTL_FILTER_WORDS; i++) {
		to[i] = how == POSIX_TRACE_SET_EVENTSET ? set[i] :
			how == POSIX_TRACE_ADD_EVENTSET ? from[i] | set[i] :
							  from[i] & ~set[i];
		both[i] = from[i] | to[i];
	}
	/* What is filtered no more is recorded only after FILTER, what is
	 * filtered from now on only before. */
	ptl_map_set_filter(stream->map, both);
	ptl_bridge_mirror(stream->map);
	tell_filter(stream, change);
	ptl_map_set_filter(stream->map, to);
	ptl_bridge_mirror(stream->map);
}
