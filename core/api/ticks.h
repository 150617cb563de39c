/* SPDX-License-Identifier: MIT */
/* Spans of time in ticks of a stream's clock. */
#ifndef PTL_CORE_API_TICKS_H
#define PTL_CORE_API_TICKS_H

#include "core/stream/stream.h"
#include "core/sys/clock.h"

#include <time.h>

/* A span of time in ns.  False: it is none. */
PTL_INLINE bool ptl_ticks_span(const struct timespec *span, uint64_t *ns)
{
	const uint64_t per_sec = UINT64_C(1000000000);

	if (span->tv_sec < 0 || span->tv_nsec < 0 ||
	    (uint64_t)span->tv_nsec >= per_sec ||
	    (uint64_t)span->tv_sec >= UINT64_MAX / per_sec)
		return false;
	*ns = (uint64_t)span->tv_sec * per_sec + (uint64_t)span->tv_nsec;
	return true;
}

/* What 2^32 ticks of the stream's clock are, in ns. */
PTL_INLINE uint64_t ptl_ticks_rate(const struct ptl_map *map)
{
	struct ptl_shm_anchor anchor = {UINT64_C(1) << 40, UINT64_C(1) << 60};

	return ptl_clock_realtime(map->clock, &anchor, 1,
				  anchor.counter + (UINT64_C(1) << 32)) -
	       anchor.ns;
}

/* Without 128 bits, whose division is libgcc's; rates have 38 at most. */
PTL_INLINE uint64_t ptl_ticks(uint64_t ns, uint64_t rate)
{
	uint64_t whole = ns / rate, rest = ns % rate;

	if (ns <= UINT32_MAX)
		return PTL_MAX((ns << 32) / rate, 1);
	if (whole >= UINT64_C(1) << 31)
		return INT64_MAX;
	return (whole << 32) + (((rest << 26) / rate) << 6);
}

#endif
