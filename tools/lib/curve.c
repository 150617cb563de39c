/* SPDX-License-Identifier: MIT */
/* A value over time; see curve.h. */
#include "tools/lib/curve.h"

#include <stdlib.h>

#include "tools/lib/say.h"

/* The width to begin with, ns. */
#define WIDTH 256

void ptl_curve_free(struct ptl_curve *curve)
{
	free(curve->point);
}

/* Two points become one. */
static void widen(struct ptl_curve *curve)
{
	size_t nr = (curve->nr + 1) / 2;

	for (size_t i = 0; i < nr; i++) {
		double left = curve->point[2 * i];
		double right = 2 * i + 1 < curve->nr ? curve->point[2 * i + 1] :
			       curve->is_sum	     ? 0 :
						       left;

		curve->point[i] = curve->is_sum ? left + right :
				  right > left	? right :
						  left;
	}
	curve->nr = nr;
	curve->width *= 2;
}

/* The point of that time; those before it that are new are `between'. */
static double *point_at(struct ptl_curve *curve, int64_t now, double between)
{
	size_t at;

	if (curve->point == NULL) {
		curve->point =
			ptl_alloc(PTL_CURVE_POINTS * sizeof(*curve->point));
		curve->begin = now;
		curve->width = WIDTH;
	}
	/* Times do not go back but in damaged logs. */
	if (now < curve->begin)
		now = curve->begin;
	while ((now - curve->begin) / curve->width >= PTL_CURVE_POINTS)
		widen(curve);
	at = (size_t)((now - curve->begin) / curve->width);
	while (curve->nr <= at)
		curve->point[curve->nr++] = between;
	return &curve->point[at];
}

void ptl_curve_put(struct ptl_curve *curve, int64_t now, double value)
{
	/* Before the first there is none that could be larger. */
	double *point =
		point_at(curve, now, curve->nr > 0 ? curve->last : value);

	if (value > *point)
		*point = value;
	curve->last = value;
}

void ptl_curve_add(struct ptl_curve *curve, int64_t now, double value)
{
	curve->is_sum = true;
	*point_at(curve, now, 0) += value;
}
