/* SPDX-License-Identifier: MIT */
/* See nested.h. */
#include "core/log/nested.h"

#include <errno.h>
#include <stdlib.h>

static int by_since(const void *va, const void *vb)
{
	const struct ptl_nested_place *a = va, *b = vb;

	if (a->since != b->since)
		return a->since < b->since ? -1 : 1;
	return a->at < b->at ? -1 : 1;
}

/* Most calls have little inside of them: where one belongs is found from the
 * end.  False: too much was moved so far. */
static bool insert(struct ptl_nested *nested, struct ptl_nested_place place,
		   size_t *moved)
{
	struct ptl_nested_place *at = nested->place + nested->nr++;

	if (PTL_UNLIKELY(*moved / 32 > nested->nr)) {
		*at = place;
		return false;
	}
	for (; at > nested->place && at[-1].since > place.since; at--, ++*moved)
		*at = at[-1];
	*at = place;
	return true;
}

int ptl_nested_sort(struct ptl_nested *nested, const unsigned char *buf,
		    size_t at, size_t size, uint64_t span_counter,
		    uint64_t origin, size_t *end)
{
	size_t most = (size - at) / PTL_RECORD_HEADER, stack = SIZE_MAX;
	size_t moved = 0;
	bool is_sorted = true;
	struct ptl_record rec;

	*nested = (struct ptl_nested){
		.place = malloc((most + 1) * sizeof(*nested->place)),
	};
	if (!nested->place)
		return ENOMEM;
	for (; ptl_record_parse(buf + at, size - at, &rec); at += rec.bytes) {
		uint64_t counter = ptl_record_counter(rec.time, span_counter);

		if (rec.committed && rec.id == PTL_ID_STACK) {
			stack = at;
			continue;
		}
		if (rec.committed && rec.id != 0 && rec.id < PTL_ID_LIMIT)
			is_sorted &= insert(
				nested,
				(struct ptl_nested_place){
					ptl_nested_since(&rec, counter, origin),
					PTL_MIN(stack, at),
				},
				&moved);
		stack = SIZE_MAX;
	}
	*end = at;
	if (!is_sorted)
		qsort(nested->place, nested->nr, sizeof(*nested->place),
		      by_since);
	return 0;
}
