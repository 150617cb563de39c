/* SPDX-License-Identifier: MIT */
/* See records.h. */
#include "tools/sampler/records.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

void ptl_records_put(void *arg, const struct perf_event_header *record)
{
	struct ptl_records *records = arg;
	size_t size = ((size_t)record->size + 7) & ~(size_t)7;

	while (records->room - records->used < size)
		records->bytes = ptl_grow(records->bytes, records->room,
					  &records->room, 1);
	records->item = ptl_grow(records->item, records->nr, &records->items,
				 sizeof(*records->item));
	records->item[records->nr++] = (struct ptl_records_item){
		ptl_events_time(record), records->used};
	size = ptl_events_copy(records->bytes + records->used, record);
	records->used += (size + 7) & ~(size_t)7;
}

static int compare(const void *a, const void *b)
{
	const struct ptl_records_item *x = a, *y = b;

	if (x->when != y->when)
		return x->when < y->when ? -1 : 1;
	return x->at < y->at ? -1 : 1;
}

static int compare_places(const void *a, const void *b)
{
	const struct ptl_records_item *x = a, *y = b;

	return x->at < y->at ? -1 : 1;
}

static size_t size_at(const struct ptl_records *records, size_t at)
{
	struct perf_event_header head;

	memcpy(&head, records->bytes + at, sizeof(head));
	return ((size_t)head.size + 7) & ~(size_t)7;
}

/* What was handed out goes; the others move up. */
static void drop(struct ptl_records *records, size_t nr)
{
	size_t left = records->nr - nr, to = 0;

	memmove(records->item, records->item + nr,
		left * sizeof(*records->item));
	records->nr = left;
	if (left > 0)
		qsort(records->item, left, sizeof(*records->item),
		      compare_places);
	for (size_t i = 0; i < left; i++) {
		size_t at = records->item[i].at, size = size_at(records, at);

		memmove(records->bytes + to, records->bytes + at, size);
		records->item[i].at = to;
		to += size;
	}
	records->used = to;
}

void ptl_records_take(struct ptl_records *records, uint64_t until,
		      ptl_events_take *take, void *arg)
{
	size_t nr = 0;

	if (records->nr == 0)
		return;
	qsort(records->item, records->nr, sizeof(*records->item), compare);
	for (; nr < records->nr && records->item[nr].when < until; nr++)
		take(arg,
		     (const void *)(records->bytes + records->item[nr].at));
	drop(records, nr);
}
