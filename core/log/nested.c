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

int ptl_nested_sort(struct ptl_nested *nested, const unsigned char *buf,
		    size_t at, size_t size, uint64_t span_counter,
		    uint64_t origin, size_t *end)
{
	size_t most = (size - at) / PTL_RECORD_HEADER, stack = SIZE_MAX;
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
			nested->place[nested->nr++] = (struct ptl_nested_place){
				ptl_nested_since(&rec, counter, origin),
				PTL_MIN(stack, at),
			};
		stack = SIZE_MAX;
	}
	*end = at;
	qsort(nested->place, nested->nr, sizeof(*nested->place), by_since);
	return 0;
}
