/* SPDX-License-Identifier: MIT */
/* What a timeline draws; see slices.h and slices_thin.h. */
#include "tools/page/slices.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/page/slices_thin.h"

/* Where numbers are is counted in units of so many bytes. */
#define UNIT 4

#define SORTED_AT_ONCE (1 << 18)

void ptl_slices_free(struct ptl_slices *slices)
{
	free(slices->slice);
	free(slices->numbers);
}

static void put_byte(struct ptl_slices *slices, unsigned char byte)
{
	slices->numbers = ptl_grow(slices->numbers, slices->numbers_used,
				   &slices->numbers_room, 1);
	slices->numbers[slices->numbers_used++] = byte;
}

/* Returns where they are. */
static uint32_t put_numbers(struct ptl_slices *slices, const int64_t *number,
			    unsigned int nr)
{
	uint32_t at;

	if (nr == 0)
		return 0;
	while (slices->numbers_used % UNIT != 0 || slices->numbers_used == 0)
		put_byte(slices, 0);
	at = (uint32_t)(slices->numbers_used / UNIT);
	put_byte(slices, (unsigned char)nr);
	for (unsigned int i = 0; i < nr; i++) {
		uint64_t rest = (uint64_t)number[i] << 1;

		if (number[i] < 0)
			rest = ~rest;
		for (; rest >= 128; rest >>= 7)
			put_byte(slices, (unsigned char)(rest | 128));
		put_byte(slices, (unsigned char)rest);
	}
	return at;
}

unsigned int ptl_slices_numbers(const struct ptl_slices *slices,
				const struct ptl_slice *slice,
				int64_t number[PTL_DETAIL_NUMBERS])
{
	const unsigned char *p = slices->numbers + UNIT * slice->numbers;
	unsigned int nr;

	if (slice->numbers == 0)
		return 0;
	nr = *p++;
	for (unsigned int i = 0; i < nr; i++) {
		uint64_t value = 0;
		int shift = 0;

		for (; *p >= 128; shift += 7)
			value |= (uint64_t)(*p++ & 127) << shift;
		value |= (uint64_t)*p++ << shift;
		number[i] = (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
	}
	return nr;
}

/* Puts those that were added last among the others, which are sorted. */
static void sort_in(struct ptl_slices *slices)
{
	size_t nr = slices->nr - slices->nr_sorted, at = slices->nr_sorted;
	size_t to = slices->nr, size = sizeof(struct ptl_slice);
	struct ptl_slice *slice = slices->slice, *added;

	qsort(slice + at, nr, size, ptl_slice_compare);
	if (at > 0 && nr > 0 &&
	    ptl_slice_compare(&slice[at - 1], &slice[at]) > 0) {
		added = ptl_alloc(nr * size);
		memcpy(added, slice + at, nr * size);
		while (nr > 0)
			slice[--to] = at > 0 && ptl_slice_compare(
							&slice[at - 1],
							&added[nr - 1]) > 0 ?
					      slice[--at] :
					      added[--nr];
		free(added);
	}
	slices->nr_sorted = slices->nr;
}

static void sort(struct ptl_slices *slices)
{
	while (slices->nr_sorted < slices->nr &&
	       (slices->nr_sorted == 0 ||
		ptl_slice_compare(&slices->slice[slices->nr_sorted - 1],
				  &slices->slice[slices->nr_sorted]) <= 0))
		slices->nr_sorted++;
	if (slices->nr_sorted < slices->nr)
		sort_in(slices);
}

void ptl_slices_place(struct ptl_slices *slices)
{
	struct ptl_slice_nest nest = {.track = UINT32_MAX};

	sort(slices);
	for (size_t i = 0; i < slices->nr; i++)
		slices->slice[i].lane =
			ptl_slice_lane(&nest, &slices->slice[i]) & 63;
}

/* Keeps the numbers that are still asked for. */
static void keep_numbers(struct ptl_slices *slices)
{
	struct ptl_slices old = *slices;

	slices->numbers = NULL;
	slices->numbers_used = slices->numbers_room = 0;
	for (size_t i = 0; i < slices->nr; i++) {
		int64_t number[PTL_DETAIL_NUMBERS];
		unsigned int nr =
			ptl_slices_numbers(&old, &slices->slice[i], number);

		slices->slice[i].numbers =
			put_numbers(slices, number, nr) & 0xffffff;
	}
	free(old.numbers);
}

static size_t times_of(const struct ptl_slices *slices)
{
	return slices->times > 0 ? slices->times : 1;
}

static size_t most_numbers(const struct ptl_slices *slices)
{
	/* Where they are is told by 24 bits, in units; some are put before it
	 * is looked again. */
	return times_of(slices) > 1 ? PTL_SLICES_NUMBERS / 2 * 3 :
				      PTL_SLICES_NUMBERS;
}

static bool thin(struct ptl_slices *slices, size_t max)
{
	struct ptl_thinning thinning = {.open = slices->open, .of = slices->of};
	bool is_done;

	sort(slices);
	thinning.slice = slices->slice;
	thinning.nr = slices->nr;
	is_done = ptl_slices_thin(&thinning, max);
	if (thinning.quantum > slices->quantum)
		slices->quantum = thinning.quantum;
	slices->nr = thinning.nr;
	/* Of those that begin at once other ones may be the longer ones. */
	slices->nr_sorted = 0;
	sort(slices);
	return is_done;
}

void ptl_slices_merge(struct ptl_slices *slices, size_t max)
{
	do {
		if (!thin(slices, max)) {
			slices->max = 4 * slices->nr;
			break;
		}
		keep_numbers(slices);
		max /= 2;
	} while (slices->numbers_used > most_numbers(slices) / 2);
}

void ptl_slices_add(struct ptl_slices *slices, struct ptl_slice *slice,
		    const struct ptl_detail *detail)
{
	size_t max = slices->max > 0 ? slices->max :
				       PTL_SLICES_MAX * times_of(slices);

	if (slices->nr >= max || slices->numbers_used > most_numbers(slices))
		ptl_slices_merge(slices, max / 2);
	/* So that there is never much to be sorted at once. */
	if (slices->nr - slices->nr_sorted >= SORTED_AT_ONCE)
		sort_in(slices);
	slice->numbers =
		put_numbers(slices, detail->number, detail->nr) & 0xffffff;
	slices->slice = ptl_grow(slices->slice, slices->nr, &slices->room,
				 sizeof(*slices->slice));
	slices->slice[slices->nr++] = *slice;
}
