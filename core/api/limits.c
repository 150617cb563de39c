/* SPDX-License-Identifier: MIT */
/* posix_trace_set_call_limits_np: which calls hooks do not record;
 * posix_trace_set_call_summary_np: that they are summed up. */
#include "core/api/ticks.h"

#include <errno.h>
#include <trace.h>

PTL_EXPORT int posix_trace_set_call_limits_np(trace_id_t trid,
					      const struct timespec *shortest,
					      unsigned int depth)
{
	struct ptl_stream *stream;
	struct ptl_shm_head *head;
	uint64_t ns = 0, rate;

	if (shortest && !ptl_ticks_span(shortest, &ns))
		return EINVAL;
	stream = ptl_stream_get(trid, PTL_STREAM_ACTIVE);
	if (!stream)
		return EINVAL;
	head = stream->map->head;
	rate = ns ? ptl_ticks_rate(stream->map) : 0;
	atomic_store_explicit(&head->call_rate, rate, memory_order_relaxed);
	atomic_store_explicit(&head->call_ticks,
			      rate ? ptl_ticks(ns, rate) : ns,
			      memory_order_relaxed);
	atomic_store_explicit(&head->call_depth, depth, memory_order_relaxed);
	ptl_stream_put(stream);
	return 0;
}

PTL_EXPORT int posix_trace_set_call_summary_np(trace_id_t trid, int on)
{
	struct ptl_stream *stream;
	struct ptl_shm_head *head;

	if (on != 0 && on != 1)
		return EINVAL;
	stream = ptl_stream_get(trid, PTL_STREAM_ACTIVE);
	if (!stream)
		return EINVAL;
	head = stream->map->head;
	atomic_store_explicit(&head->call_rate, ptl_ticks_rate(stream->map),
			      memory_order_relaxed);
	atomic_store_explicit(&head->call_sums, (uint32_t)on,
			      memory_order_relaxed);
	ptl_stream_put(stream);
	return 0;
}
