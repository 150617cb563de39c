/* SPDX-License-Identifier: MIT */
/* Ranges of addresses; see ranges.h. */
#include "tools/symbolize/ranges.h"

#include <stdlib.h>

#include "tools/lib/say.h"

void ptl_ranges_add(struct ptl_ranges *ranges, uint64_t start, uint64_t end,
		    void *what)
{
	if (start >= end)
		return;
	ranges->range = ptl_grow(ranges->range, ranges->nr, &ranges->room,
				 sizeof(*ranges->range));
	ranges->range[ranges->nr] =
		(struct ptl_range){start, end, 0, ranges->nr, what};
	ranges->nr++;
}

static int by_start(const void *a, const void *b)
{
	const struct ptl_range *left = a, *right = b;

	if (left->start != right->start)
		return left->start < right->start ? -1 : 1;
	if (left->end != right->end)
		return left->end > right->end ? -1 : 1;
	return left->added < right->added ? -1 : 1;
}

void ptl_ranges_sort(struct ptl_ranges *ranges)
{
	uint64_t reach = 0;

	if (ranges->nr > 0)
		qsort(ranges->range, ranges->nr, sizeof(*ranges->range),
		      by_start);
	for (size_t i = 0; i < ranges->nr; i++) {
		if (ranges->range[i].end > reach)
			reach = ranges->range[i].end;
		ranges->range[i].reach = reach;
	}
}

void *ptl_ranges_find(const struct ptl_ranges *ranges, uint64_t address)
{
	size_t low = 0, high = ranges->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ranges->range[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low > 0 && ranges->range[low - 1].reach > address; low--)
		if (ranges->range[low - 1].end > address)
			return ranges->range[low - 1].what;
	return NULL;
}
