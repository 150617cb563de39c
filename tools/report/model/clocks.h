/* SPDX-License-Identifier: MIT */
/*
 * How far the clocks of several hosts are apart, by meetings (mpi.h): who
 * leaves one by its clock does it after the last has come by another's; and by
 * messages: one is received after it was sent.
 */
#ifndef PTL_TOOLS_REPORT_MODEL_CLOCKS_H
#define PTL_TOOLS_REPORT_MODEL_CLOCKS_H

#include "tools/report/model/mpi.h"

struct ptl_mpi_clock {
	const char *host; /* of its first log */
	/* So many ns it is ahead of the first clock, at least and at most, or
	 * the limits of the type, where nothing tells.  If low is more than
	 * high, it was set meanwhile, or what it was told by was none. */
	int64_t low, high;
	uint64_t nr;	   /* meetings */
	uint64_t messages; /* from and to other clocks */
	/* Of a meeting: when its first left, and its last came; or 0. */
	uint64_t left, come;
};

struct ptl_mpi_clocks {
	struct ptl_mpi_clock *clock;
	size_t nr;
	size_t *of; /* by log */
};

/* After ptl_mpi_find(), of the logs that it is of. */
void ptl_mpi_clocks_find(struct ptl_mpi_clocks *clocks,
			 const struct ptl_mpi *mpi,
			 const struct ptl_merge *merge);
void ptl_mpi_clocks_free(struct ptl_mpi_clocks *clocks);

static inline bool ptl_mpi_clock_has_low(const struct ptl_mpi_clock *clock)
{
	return clock->low != INT64_MIN;
}

static inline bool ptl_mpi_clock_has_high(const struct ptl_mpi_clock *clock)
{
	return clock->high != INT64_MAX;
}

static inline bool ptl_mpi_clock_is_known(const struct ptl_mpi_clock *clock)
{
	return ptl_mpi_clock_has_low(clock) && ptl_mpi_clock_has_high(clock) &&
	       clock->low <= clock->high;
}

/* The middle of what it may be ahead, and how far that may be off. */
static inline int64_t ptl_mpi_clock_ahead(const struct ptl_mpi_clock *clock)
{
	return clock->low + (clock->high - clock->low) / 2;
}

static inline int64_t ptl_mpi_clock_error(const struct ptl_mpi_clock *clock)
{
	return (clock->high - clock->low + 1) / 2;
}

#endif
