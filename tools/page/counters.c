/* SPDX-License-Identifier: MIT */
/* What is drawn as curves; see counters.h. */
#include "tools/page/counters.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/quote.h"
#include "tools/lib/say.h"
#include "tools/lib/args/typed.h"

#define MAX_CURVES 64

/* Beside the largest one that is so many times larger, one is a line. */
#define LEAST 8

static int compare_peaks(const void *left, const void *right)
{
	const struct ptl_heap *a = *(const struct ptl_heap *const *)left;
	const struct ptl_heap *b = *(const struct ptl_heap *const *)right;

	if (a->peak != b->peak)
		return a->peak > b->peak ? -1 : 1;
	return a->process->number < b->process->number ? -1 : 1;
}

static void put_curve(struct ptl_out *out, const struct ptl_heap *heap)
{
	ptl_out_char(out, '[');
	ptl_out_uint(out, heap->process->number);
	ptl_out_char(out, ',');
	ptl_out_int(out, heap->curve.begin);
	ptl_out_char(out, ',');
	ptl_out_int(out, heap->curve.width);
	for (size_t i = 0; i < heap->curve.nr; i++) {
		ptl_out_str(out, i == 0 ? ",[" : ",");
		ptl_out_int(out, (int64_t)heap->curve.point[i]);
	}
	ptl_out_str(out, "]]");
}

void ptl_counters_json(const struct ptl_heaps *heaps, struct ptl_out *out)
{
	const struct ptl_heap **sorted = NULL, *heap = NULL;
	size_t nr = 0, room = 0;

	while ((heap = ptl_heaps_next(heaps, heap)) != NULL) {
		if (heap->curve.nr == 0)
			continue;
		sorted = ptl_grow(sorted, nr, &room, sizeof(*sorted));
		sorted[nr++] = heap;
	}
	if (nr > 0)
		qsort(sorted, nr, sizeof(*sorted), compare_peaks);
	ptl_out_char(out, '[');
	for (size_t i = 0; i < nr && i < MAX_CURVES &&
			   sorted[i]->peak >= sorted[0]->peak / LEAST;
	     i++) {
		if (i > 0)
			ptl_out_char(out, ',');
		put_curve(out, sorted[i]);
	}
	ptl_out_char(out, ']');
	free(sorted);
}

static int compare_numbers(const void *left, const void *right)
{
	const struct ptl_value_curve *a =
		*(const struct ptl_value_curve *const *)left;
	const struct ptl_value_curve *b =
		*(const struct ptl_value_curve *const *)right;

	return a->series->number < b->series->number ? -1 : 1;
}

static int compare_counts(const void *left, const void *right)
{
	const struct ptl_value_curve *a =
		*(const struct ptl_value_curve *const *)left;
	const struct ptl_value_curve *b =
		*(const struct ptl_value_curve *const *)right;

	if (a->nr != b->nr)
		return a->nr > b->nr ? -1 : 1;
	return compare_numbers(left, right);
}

static void put_values(struct ptl_out *out, const struct ptl_value_curve *curve)
{
	const struct ptl_series *series = curve->series;
	char text[PTL_TYPED_TEXT];

	ptl_out_char(out, '[');
	ptl_out_uint(out, series->process->number);
	ptl_out_str(out, series->mark == PTL_ARG_GAUGE ? ",\"gauge\"," :
							 ",\"counter\",");
	ptl_quote_json(out, series->name, strlen(series->name));
	ptl_out_char(out, ',');
	ptl_out_int(out, curve->curve.begin);
	ptl_out_char(out, ',');
	ptl_out_int(out, curve->curve.width);
	for (size_t i = 0; i < curve->curve.nr; i++) {
		ptl_out_str(out, i == 0 ? ",[" : ",");
		ptl_out_str(out, ptl_typed_json(curve->curve.point[i], text));
	}
	ptl_out_str(out, "]]");
}

void ptl_counters_values_json(const struct ptl_value_sums *sums,
			      struct ptl_out *out)
{
	const struct ptl_value_curve **sorted = NULL, *curve = NULL;
	size_t nr = 0, room = 0;

	while ((curve = ptl_value_sums_next_curve(sums, curve)) != NULL) {
		if (curve->series->process == NULL)
			continue;
		sorted = ptl_grow(sorted, nr, &room, sizeof(*sorted));
		sorted[nr++] = curve;
	}
	if (nr > 0)
		qsort(sorted, nr, sizeof(*sorted), compare_counts);
	if (nr > MAX_CURVES)
		nr = MAX_CURVES;
	if (nr > 0)
		qsort(sorted, nr, sizeof(*sorted), compare_numbers);
	ptl_out_char(out, '[');
	for (size_t i = 0; i < nr; i++) {
		if (i > 0)
			ptl_out_char(out, ',');
		put_values(out, sorted[i]);
	}
	ptl_out_char(out, ']');
	free(sorted);
}
