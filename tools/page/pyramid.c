/* SPDX-License-Identifier: MIT */
/* Slices as a page reads them; see pyramid.h. */
#include "tools/page/pyramid.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

enum {
	SECTION_LANES = 2,
	SECTION_BEGIN,
	SECTION_TOOK,
	SECTION_COUNT,
	SECTION_MORE,
	SECTION_NAME,
	SECTION_TEXT,
	SECTION_STACK,
	SECTION_NUMBERS,
	SECTION_CALLERS,
	SECTION_LEVEL = 16,
};

/* The first level's quantum, ns; and how much larger that of the next is. */
#define QUANTUM 256
#define FACTOR 8

struct pyramid {
	struct ptl_pack *pack;
	const struct ptl_timeline *timeline;
	const struct ptl_slice *slice;
	size_t nr;
	uint32_t *order; /* of slices, by track and lane */
};

static const struct ptl_slice *slice_at(const struct pyramid *pyramid, size_t i)
{
	return &pyramid->slice[pyramid->order[i]];
}

static bool is_same_lane(const struct ptl_slice *a, const struct ptl_slice *b)
{
	return a->track == b->track && a->lane == b->lane;
}

/* The slices of a track are slice[from] and those behind it; returns its end.
 */
static size_t order_track(struct pyramid *pyramid, size_t from, uint32_t track)
{
	size_t nr[PTL_SLICES_LANES] = {0}, at[PTL_SLICES_LANES], end = from;
	unsigned int lanes = 0;

	for (; end < pyramid->nr && pyramid->slice[end].track == track; end++)
		nr[pyramid->slice[end].lane]++;
	for (size_t i = 0, sum = from; i < PTL_SLICES_LANES; i++) {
		at[i] = sum;
		sum += nr[i];
		if (nr[i] > 0)
			lanes = (unsigned int)i + 1;
	}
	for (size_t i = from; i < end; i++)
		pyramid->order[at[pyramid->slice[i].lane]++] = (uint32_t)i;
	ptl_pack_uint(pyramid->pack, lanes);
	for (unsigned int i = 0; i < lanes; i++)
		ptl_pack_uint(pyramid->pack, nr[i]);
	return end;
}

static void put_lanes(struct pyramid *pyramid)
{
	size_t at = 0;

	ptl_pack_section(pyramid->pack, SECTION_LANES);
	for (uint32_t i = 0; i < pyramid->timeline->tracks.nr; i++)
		at = order_track(pyramid, at, i);
}

static uint64_t column_of(const struct ptl_slice *slice, unsigned int section)
{
	int64_t took = slice->took > 0 ? slice->took : 0;

	switch (section) {
	case SECTION_TOOK:
		return (uint64_t)(slice->took + 1);
	case SECTION_COUNT:
		return (uint64_t)slice->nr * 4 + slice->flags;
	case SECTION_MORE:
		return (uint64_t)(slice->end - slice->begin - took);
	case SECTION_NAME:
		return slice->name;
	case SECTION_TEXT:
		return slice->text;
	default:
		return slice->stack;
	}
}

/* What the begin of a slice is counted from. */
static int64_t begin_before(const struct ptl_slice *slice,
			    const struct ptl_slice *last)
{
	if (last == NULL || !is_same_lane(last, slice))
		return 0;
	return slice->lane == PTL_SLICES_LANES - 1 ? last->begin : last->end;
}

static void put_columns(struct pyramid *pyramid)
{
	const struct ptl_slice *last = NULL;

	ptl_pack_section(pyramid->pack, SECTION_BEGIN);
	for (size_t i = 0; i < pyramid->nr; i++) {
		const struct ptl_slice *slice = slice_at(pyramid, i);

		ptl_pack_uint(
			pyramid->pack,
			(uint64_t)(slice->begin - begin_before(slice, last)));
		last = slice;
	}
	for (unsigned int section = SECTION_TOOK; section <= SECTION_STACK;
	     section++) {
		ptl_pack_section(pyramid->pack, section);
		for (size_t i = 0; i < pyramid->nr; i++)
			ptl_pack_uint(pyramid->pack,
				      column_of(slice_at(pyramid, i), section));
	}
}

/* The numbers of all texts: those of text i are number[first[i]] and on. */
struct numbers {
	uint32_t *first;
	struct {
		bool is_hex;
		int64_t last;
	} * number;
	int64_t recent[PTL_PYRAMID_RECENT]; /* addresses, the last one first */
};

static void find_signs(struct numbers *numbers, const struct ptl_texts *texts)
{
	size_t room = 0, size;
	uint32_t nr = 0;

	numbers->first = ptl_alloc((texts->map.nr + 2) * sizeof(nr));
	for (uint32_t i = 1; i <= texts->map.nr; i++) {
		const char *text = ptl_texts_bytes(texts, i, &size);

		numbers->first[i] = nr;
		for (size_t j = 0; j < size; j++) {
			if (text[j] != PTL_DETAIL_DECIMAL &&
			    text[j] != PTL_DETAIL_HEX)
				continue;
			numbers->number = ptl_grow(numbers->number, nr, &room,
						   sizeof(*numbers->number));
			numbers->number[nr].last = 0;
			numbers->number[nr++].is_hex =
				text[j] == PTL_DETAIL_HEX;
		}
	}
}

/* Most addresses come again soon: what was allocated is freed. */
static void put_address(struct pyramid *pyramid, struct numbers *numbers,
			int64_t address)
{
	int64_t *recent = numbers->recent;
	unsigned int i = 0;

	while (i < PTL_PYRAMID_RECENT - 1 && recent[i] != address)
		i++;
	if (recent[i] == address) {
		ptl_pack_uint(pyramid->pack, i + 1);
	} else {
		ptl_pack_uint(pyramid->pack, 0);
		ptl_pack_int(pyramid->pack, address - recent[0]);
	}
	memmove(recent + 1, recent, i * sizeof(*recent));
	recent[0] = address;
}

static void put_numbers(struct pyramid *pyramid)
{
	struct numbers numbers = {0};

	find_signs(&numbers, &pyramid->timeline->texts);
	ptl_pack_section(pyramid->pack, SECTION_NUMBERS);
	for (size_t i = 0; i < pyramid->nr; i++) {
		const struct ptl_slice *slice = slice_at(pyramid, i);
		int64_t number[PTL_DETAIL_NUMBERS];
		unsigned int nr = ptl_slices_numbers(&pyramid->timeline->slices,
						     slice, number);

		for (unsigned int j = 0; j < nr; j++) {
			uint32_t at = numbers.first[slice->text] + j;

			if (numbers.number[at].is_hex) {
				put_address(pyramid, &numbers, number[j]);
				continue;
			}
			ptl_pack_int(pyramid->pack,
				     number[j] - numbers.number[at].last);
			numbers.number[at].last = number[j];
		}
	}
	free(numbers.first);
	free(numbers.number);
}

static void put_callers(struct pyramid *pyramid)
{
	const struct ptl_timeline *timeline = pyramid->timeline;

	ptl_pack_section(pyramid->pack, SECTION_CALLERS);
	for (size_t i = 0; i < timeline->nr_callers; i++) {
		ptl_pack_uint(pyramid->pack, timeline->caller[i].parent);
		ptl_pack_uint(pyramid->pack, timeline->caller[i].name);
	}
}

/* The end of the run that begins there; *longest is one of it. */
static size_t find_run(const struct pyramid *pyramid, size_t from,
		       int64_t quantum, size_t *longest)
{
	const struct ptl_slice *first = slice_at(pyramid, from), *slice;
	size_t i = from;

	*longest = from;
	if (first->end - first->begin >= quantum)
		return from + 1;
	for (i++; i < pyramid->nr; i++) {
		slice = slice_at(pyramid, i);
		if (!is_same_lane(first, slice) ||
		    slice->end - slice->begin >= quantum ||
		    slice->begin / quantum != first->begin / quantum)
			break;
		if (slice->took > slice_at(pyramid, *longest)->took)
			*longest = i;
	}
	return i;
}

static size_t count_runs(const struct pyramid *pyramid, int64_t quantum)
{
	size_t nr = 0, longest;

	for (size_t i = 0; i < pyramid->nr; nr++)
		i = find_run(pyramid, i, quantum, &longest);
	return nr;
}

static void put_level(struct pyramid *pyramid, int64_t quantum)
{
	size_t end, longest;

	ptl_pack_uint(pyramid->pack, (uint64_t)quantum);
	for (size_t i = 0; i < pyramid->nr; i = end) {
		end = find_run(pyramid, i, quantum, &longest);
		ptl_pack_uint(pyramid->pack, end - i);
		if (end - i > 1)
			ptl_pack_uint(pyramid->pack, longest - i);
	}
}

/* A level that has hardly fewer runs than the last is not worth its room. */
static void put_levels(struct pyramid *pyramid, int64_t wall)
{
	size_t nr = pyramid->nr;
	unsigned int section = SECTION_LEVEL;

	for (int64_t quantum = QUANTUM; quantum / FACTOR <= wall / 256;
	     quantum *= FACTOR) {
		size_t runs = count_runs(pyramid, quantum);

		if (runs > nr / 4 * 3)
			continue;
		nr = runs;
		ptl_pack_section(pyramid->pack, section++);
		put_level(pyramid, quantum);
	}
}

void ptl_pyramid_write(struct ptl_pack *pack, struct ptl_timeline *timeline,
		       int64_t wall)
{
	struct pyramid pyramid = {.pack = pack,
				  .timeline = timeline,
				  .slice = timeline->slices.slice,
				  .nr = timeline->slices.nr};

	ptl_slices_place(&timeline->slices);
	pyramid.order = ptl_alloc((pyramid.nr + 1) * sizeof(*pyramid.order));
	put_lanes(&pyramid);
	put_columns(&pyramid);
	put_numbers(&pyramid);
	put_callers(&pyramid);
	put_levels(&pyramid, wall);
	free(pyramid.order);
}
