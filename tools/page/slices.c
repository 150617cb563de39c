/* SPDX-License-Identifier: MIT */
/* What a timeline draws; see slices.h. */
#include "tools/page/slices.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

/* Where numbers are is counted in units of so many bytes. */
#define UNIT 4

/* The quantum to begin with, ns. */
#define QUANTUM 64

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

/* Slices that contain others come before them. */
static int compare(const void *left, const void *right)
{
	const struct ptl_slice *a = left, *b = right;

	if (a->track != b->track)
		return a->track < b->track ? -1 : 1;
	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	return a->end > b->end ? -1 : a->end < b->end;
}

/* The ends of the slices that contain the current one. */
struct nest {
	int64_t end[PTL_SLICES_LANES];
	unsigned int nr;
	uint32_t track;
};

static unsigned int lane_of(struct nest *nest, const struct ptl_slice *slice)
{
	if (nest->track != slice->track)
		nest->nr = 0;
	nest->track = slice->track;
	while (nest->nr > 0 && nest->end[nest->nr - 1] <= slice->begin)
		nest->nr--;
	if (nest->nr == PTL_SLICES_LANES)
		return PTL_SLICES_LANES - 1;
	/* What takes no time contains nothing. */
	if (slice->end > slice->begin) {
		nest->end[nest->nr++] = slice->end;
		return nest->nr - 1;
	}
	return nest->nr < PTL_SLICES_LANES ? nest->nr : PTL_SLICES_LANES - 1;
}

void ptl_slices_place(struct ptl_slices *slices)
{
	struct nest nest = {.track = UINT32_MAX};

	if (slices->nr > 0)
		qsort(slices->slice, slices->nr, sizeof(*slices->slice),
		      compare);
	for (size_t i = 0; i < slices->nr; i++)
		slices->slice[i].lane = lane_of(&nest, &slices->slice[i]) & 63;
}

static bool is_short(const struct ptl_slice *slice, int64_t quantum)
{
	return slice->end - slice->begin < quantum;
}

/* The one that is told of is the longest; what failed is not forgotten. */
static void join(struct ptl_slice *to, const struct ptl_slice *from)
{
	uint32_t nr = to->nr + from->nr, flags = to->flags | from->flags;
	struct ptl_slice whole = from->took > to->took ? *from : *to;

	whole.begin = to->begin;
	whole.end = from->end > to->end ? from->end : to->end;
	whole.nr = nr;
	whole.flags = flags & 3;
	*to = whole;
}

/* The slices are sorted.  `last' of each lane is where its last slice is. */
static void merge_by(struct ptl_slices *slices, int64_t quantum)
{
	size_t last[2 * PTL_SLICES_LANES], nr = 0;
	struct nest nest = {.track = UINT32_MAX};
	uint32_t track = UINT32_MAX;

	for (size_t i = 0; i < slices->nr; i++) {
		const struct ptl_slice slice = slices->slice[i];
		struct ptl_slice *to;
		unsigned int lane = lane_of(&nest, &slice);

		if (slices->open != NULL)
			lane += slices->open(slices->of, slice.track,
					     slice.begin);
		lane %= 2 * PTL_SLICES_LANES;
		if (slice.track != track)
			memset(last, -1, sizeof(last));
		track = slice.track;
		to = &slices->slice[last[lane] == SIZE_MAX ? 0 : last[lane]];
		if (last[lane] != SIZE_MAX && is_short(&slice, quantum) &&
		    is_short(to, quantum) &&
		    to->begin / quantum == slice.begin / quantum) {
			join(to, &slice);
			continue;
		}
		last[lane] = nr;
		slices->slice[nr++] = slice;
	}
	slices->nr = nr;
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
	size_t times = times_of(slices);

	/* Where they are is told by 24 bits. */
	return PTL_SLICES_NUMBERS * (times < 7 ? times : 7);
}

void ptl_slices_merge(struct ptl_slices *slices, size_t max)
{
	int64_t useful = slices->quantum;
	size_t numbers, nr;

	if (slices->nr > 0)
		qsort(slices->slice, slices->nr, sizeof(*slices->slice),
		      compare);
	do {
		/* All time there is: they are of too many threads. */
		if (slices->quantum >= INT64_C(1) << 60) {
			slices->max = 4 * slices->nr;
			slices->quantum = useful;
			break;
		}
		slices->quantum =
			slices->quantum == 0 ? QUANTUM : 2 * slices->quantum;
		nr = slices->nr;
		merge_by(slices, slices->quantum);
		if (slices->nr < nr)
			useful = slices->quantum;
		keep_numbers(slices);
		numbers = slices->numbers_used;
	} while (slices->nr > max || numbers > most_numbers(slices) / 2);
}

void ptl_slices_add(struct ptl_slices *slices, struct ptl_slice *slice,
		    const struct ptl_detail *detail)
{
	size_t max = slices->max > 0 ? slices->max :
				       PTL_SLICES_MAX * times_of(slices);

	if (slices->nr >= max || slices->numbers_used > most_numbers(slices))
		ptl_slices_merge(slices, max / 2);
	slice->numbers =
		put_numbers(slices, detail->number, detail->nr) & 0xffffff;
	slices->slice = ptl_grow(slices->slice, slices->nr, &slices->room,
				 sizeof(*slices->slice));
	slices->slice[slices->nr++] = *slice;
}
