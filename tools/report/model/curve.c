/* SPDX-License-Identifier: MIT */
/* A value over time; see curve.h. */
#include "tools/report/model/curve.h"

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
		curve->point[i] = curve->point[2 * i];
		if (2 * i + 1 < curve->nr &&
		    curve->point[2 * i + 1] > curve->point[i])
			curve->point[i] = curve->point[2 * i + 1];
	}
	curve->nr = nr;
	curve->width *= 2;
}

void ptl_curve_put(struct ptl_curve *curve, int64_t now, int64_t value)
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
		curve->point[curve->nr++] = curve->last;
	if (value > curve->point[at])
		curve->point[at] = value;
	curve->last = value;
}
