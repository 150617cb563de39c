/* SPDX-License-Identifier: MIT */
/* posix_trace_set_call_limits_np: which calls hooks do not record. */
#include "core/stream/stream.h"
#include "core/sys/clock.h"

#include <errno.h>
#include <trace.h>

#define NS_PER_SEC UINT64_C(1000000000)

/* What 2^32 ticks of the stream's clock are, in ns. */
static uint64_t rate_of(const struct ptl_map *map)
{
	struct ptl_shm_anchor anchor = {UINT64_C(1) << 40, UINT64_C(1) << 60};

	return ptl_clock_realtime(map->clock, &anchor, 1,
				  anchor.counter + (UINT64_C(1) << 32)) -
	       anchor.ns;
}

/* Without 128 bits, whose division is libgcc's; rates have 38 at most. */
static uint64_t ticks_of(uint64_t ns, uint64_t rate)
{
	uint64_t whole = ns / rate, rest = ns % rate;

	if (ns <= UINT32_MAX)
		return PTL_MAX((ns << 32) / rate, 1);
	if (whole >= UINT64_C(1) << 31)
		return INT64_MAX;
	return (whole << 32) + (((rest << 26) / rate) << 6);
}

PTL_EXPORT int posix_trace_set_call_limits_np(trace_id_t trid,
					      const struct timespec *shortest,
					      unsigned int depth)
{
	struct ptl_stream *stream;
	struct ptl_shm_head *head;
	uint64_t ns = 0, rate;

	if (shortest && (shortest->tv_sec < 0 || shortest->tv_nsec < 0 ||
			 shortest->tv_nsec >= (long)NS_PER_SEC ||
			 (uint64_t)shortest->tv_sec >= UINT64_MAX / NS_PER_SEC))
		return EINVAL;
	stream = ptl_stream_get(trid, PTL_STREAM_ACTIVE);
	if (!stream)
		return EINVAL;
	if (shortest)
		ns = (uint64_t)shortest->tv_sec * NS_PER_SEC +
		     (uint64_t)shortest->tv_nsec;
	head = stream->map->head;
	rate = ns ? rate_of(stream->map) : 0;
	atomic_store_explicit(&head->call_rate, rate, memory_order_relaxed);
	atomic_store_explicit(&head->call_ticks, rate ? ticks_of(ns, rate) : ns,
			      memory_order_relaxed);
	atomic_store_explicit(&head->call_depth, depth, memory_order_relaxed);
	ptl_stream_put(stream);
	return 0;
}
