/* SPDX-License-Identifier: MIT */
/*
 * How often which values: from buckets whose width grows with the value, 32 for
 * each factor of two.  So a quantile is right to 3 %, and memory does not grow
 * with the number of values.
 */
#ifndef PTL_TOOLS_LIB_HIST_H
#define PTL_TOOLS_LIB_HIST_H

#include <stdint.h>

#define PTL_HIST_OCTAVES 60
#define PTL_HIST_BUCKETS 32

/* All zero: no values. */
struct ptl_hist {
	uint64_t nr, sum, max;
	uint64_t *octave[PTL_HIST_OCTAVES]; /* the buckets of each */
};

void ptl_hist_add(struct ptl_hist *hist, uint64_t value);
void ptl_hist_add_many(struct ptl_hist *hist, uint64_t value, uint64_t nr);
void ptl_hist_free(struct ptl_hist *hist);

/* The value below which `permille' of them are, about; -1: there are none. */
int64_t ptl_hist_quantile(const struct ptl_hist *hist, unsigned int permille);

#endif
