/* SPDX-License-Identifier: MIT */
/* A value over time, in as little room for a long time as for a short one. */
#ifndef PTL_TOOLS_LIB_CURVE_H
#define PTL_TOOLS_LIB_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PTL_CURVE_POINTS 256

/* All zero: nothing is known of it. */
struct ptl_curve {
	int64_t begin, width; /* ns; of each point */
	size_t nr;
	double *point; /* the largest value in that time; or its sum */
	double last;
	bool is_sum;
};

void ptl_curve_free(struct ptl_curve *curve);

/* From then on it is that. */
void ptl_curve_put(struct ptl_curve *curve, int64_t now, double value);

/* So much more then.  Of a curve either of them is called, always the same. */
void ptl_curve_add(struct ptl_curve *curve, int64_t now, double value);

#endif
