/* SPDX-License-Identifier: MIT */
/* A value over time, in as little room for a long time as for a short one. */
#ifndef PTL_TOOLS_REPORT_MODEL_CURVE_H
#define PTL_TOOLS_REPORT_MODEL_CURVE_H

#include <stddef.h>
#include <stdint.h>

#define PTL_CURVE_POINTS 256

/* All zero: nothing is known of it. */
struct ptl_curve {
	int64_t begin, width; /* ns; of each point */
	size_t nr;
	int64_t *point; /* the largest value in that time */
	int64_t last;
};

void ptl_curve_free(struct ptl_curve *curve);

/* From then on it is that. */
void ptl_curve_put(struct ptl_curve *curve, int64_t now, int64_t value);

#endif
