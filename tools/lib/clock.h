/* SPDX-License-Identifier: MIT */
/* Times in ns. */
#ifndef PTL_TOOLS_LIB_CLOCK_H
#define PTL_TOOLS_LIB_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Without a sign: a damaged log may be of any year. */
static inline uint64_t ptl_ns(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec;
}

/* CLOCK_MONOTONIC, which is the clock of traces. */
static inline uint64_t ptl_monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return ptl_ns(&now);
}

#endif
