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
	SECTION_RECENT,
	SECTION_CALLERS,
	SECTION_FAR,
	SECTION_DECIMAL,
	SECTION_FRAMES,
	SECTION_FILE,
	SECTION_CONTEXT,
};

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

/* What the begin of a slice is counted from. */
static int64_t begin_before(const struct ptl_slice *slice,
			    const struct ptl_slice *last)
{
	if (last == NULL || !is_same_lane(last, slice))
		return 0;
	return slice->lane == PTL_SLICES_LANES - 1 ? last->begin : last->end;
}

static void put_begins(struct pyramid *pyramid)
{
	const struct ptl_slice *last = NULL;

	ptl_pack_section(pyramid->pack, SECTION_BEGIN);
	for (size_t i = 0; i < pyramid->nr; i++) {
		const struct ptl_slice *slice = slice_at(pyramid, i);
		int64_t before = begin_before(slice, last);

		ptl_pack_uint(pyramid->pack, (uint64_t)(slice->begin - before));
		last = slice;
	}
}

/* How much longer it is than what it took. */
static int64_t more_of(const struct ptl_slice *slice)
{
	int64_t size = slice->end - slice->begin;

	return slice->took > 0 ? size - slice->took : size;
}

static bool has_more(const struct ptl_slice *slice)
{
	return slice->nr > 1 || slice->flags & PTL_SLICE_OPEN;
}

/* Which power of two it is told in steps of: none, unless it stands for its
 * neighbours, too. */
static unsigned int step_of(const struct pyramid *pyramid,
			    const struct ptl_slice *slice)
{
	bool is_exact =
		slice->nr == 1 || pyramid->timeline->slices.quantum == 0;
	int64_t more = more_of(slice);
	unsigned int step = 0;

	while (!is_exact && more >> step >= 2 * PTL_PYRAMID_STEPS)
		step++;
	return step;
}

/* Slices that end between two steps end earlier. */
static void round_ends(const struct pyramid *pyramid)
{
	for (size_t i = 0; i < pyramid->nr; i++) {
		struct ptl_slice *slice = &pyramid->timeline->slices.slice[i];

		if (has_more(slice))
			slice->end -=
				more_of(slice) &
				((INT64_C(1) << step_of(pyramid, slice)) - 1);
	}
}

static void put_more(struct pyramid *pyramid)
{
	ptl_pack_section(pyramid->pack, SECTION_MORE);
	for (size_t i = 0; i < pyramid->nr; i++) {
		const struct ptl_slice *slice = slice_at(pyramid, i);
		unsigned int step = step_of(pyramid, slice);

		if (has_more(slice))
			ptl_pack_uint(pyramid->pack,
				      (uint64_t)(more_of(slice) >> step) +
					      step * PTL_PYRAMID_STEPS);
	}
}

/* A text nearly always has the same name. */
static void put_names(struct pyramid *pyramid)
{
	size_t nr_texts = pyramid->timeline->texts.map.nr + 1;
	uint32_t *last = ptl_alloc(nr_texts * sizeof(*last));

	ptl_pack_section(pyramid->pack, SECTION_NAME);
	for (size_t i = 0; i < pyramid->nr; i++) {
		const struct ptl_slice *slice = slice_at(pyramid, i);
		uint32_t *name = &last[slice->text];

		ptl_pack_uint(pyramid->pack,
			      *name == slice->name ? 0 : slice->name + 1);
		*name = slice->name;
	}
	free(last);
}

/* Programs go the same ways again and again. */
static void put_stacks(struct pyramid *pyramid)
{
	uint32_t *cell = ptl_alloc(PTL_PYRAMID_CELLS * sizeof(*cell)), last = 0;

	ptl_pack_section(pyramid->pack, SECTION_STACK);
	for (size_t i = 0; i < pyramid->nr; i++) {
		const struct ptl_slice *slice = slice_at(pyramid, i);
		uint32_t hash = slice->text * 0x9e3779b1 ^ last * 0x85ebca6b;
		uint32_t *stack = &cell[hash >> 16];

		ptl_pack_uint(pyramid->pack,
			      *stack == slice->stack ? 0 : slice->stack + 1);
		last = *stack = slice->stack;
	}
	free(cell);
}

static void put_columns(struct pyramid *pyramid)
{
	put_begins(pyramid);
	ptl_pack_section(pyramid->pack, SECTION_TOOK);
	for (size_t i = 0; i < pyramid->nr; i++)
		ptl_pack_uint(pyramid->pack,
			      (uint64_t)(slice_at(pyramid, i)->took + 1));
	ptl_pack_section(pyramid->pack, SECTION_COUNT);
	for (size_t i = 0; i < pyramid->nr; i++)
		ptl_pack_uint(pyramid->pack,
			      (uint64_t)slice_at(pyramid, i)->nr * 4 +
				      slice_at(pyramid, i)->flags);
	put_more(pyramid);
	put_names(pyramid);
	ptl_pack_section(pyramid->pack, SECTION_TEXT);
	for (size_t i = 0; i < pyramid->nr; i++)
		ptl_pack_uint(pyramid->pack, slice_at(pyramid, i)->text);
	put_stacks(pyramid);
	ptl_pack_section(pyramid->pack, SECTION_FILE);
	for (size_t i = 0; i < pyramid->nr; i++)
		ptl_pack_uint(pyramid->pack, slice_at(pyramid, i)->file);
	ptl_pack_section(pyramid->pack, SECTION_CONTEXT);
	if (pyramid->timeline->contexts.map.nr == 0)
		return;
	for (size_t i = 0; i < pyramid->nr; i++)
		ptl_pack_uint(pyramid->pack, slice_at(pyramid, i)->context);
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
			int64_t address, unsigned int section)
{
	int64_t *recent = numbers->recent;
	unsigned int i = 0;

	while (i < PTL_PYRAMID_RECENT - 1 && recent[i] != address)
		i++;
	if (section == SECTION_RECENT)
		ptl_pack_uint(pyramid->pack, recent[i] == address ? i + 1 : 0);
	else if (recent[i] != address)
		ptl_pack_int(pyramid->pack, address - recent[0]);
	memmove(recent + 1, recent, i * sizeof(*recent));
	recent[0] = address;
}

/* The numbers of one of the sections. */
static void put_numbers(struct pyramid *pyramid, unsigned int section)
{
	struct numbers numbers = {0};

	find_signs(&numbers, &pyramid->timeline->texts);
	ptl_pack_section(pyramid->pack, section);
	for (size_t i = 0; i < pyramid->nr; i++) {
		const struct ptl_slice *slice = slice_at(pyramid, i);
		int64_t number[PTL_DETAIL_NUMBERS];
		unsigned int nr = ptl_slices_numbers(&pyramid->timeline->slices,
						     slice, number);

		for (unsigned int j = 0; j < nr; j++) {
			uint32_t at = numbers.first[slice->text] + j;

			if (numbers.number[at].is_hex !=
			    (section != SECTION_DECIMAL))
				continue;
			if (section != SECTION_DECIMAL) {
				put_address(pyramid, &numbers, number[j],
					    section);
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
	for (size_t i = 0; i < timeline->nr_callers; i++)
		ptl_pack_uint(pyramid->pack,
			      i + 1 - timeline->caller[i].parent);
	ptl_pack_section(pyramid->pack, SECTION_FRAMES);
	for (size_t i = 0; i < timeline->nr_callers; i++)
		ptl_pack_uint(pyramid->pack, timeline->caller[i].name);
}

void ptl_pyramid_write(struct ptl_pack *pack, struct ptl_timeline *timeline)
{
	struct pyramid pyramid = {.pack = pack,
				  .timeline = timeline,
				  .slice = timeline->slices.slice,
				  .nr = timeline->slices.nr};

	ptl_slices_place(&timeline->slices);
	round_ends(&pyramid);
	pyramid.order = ptl_alloc((pyramid.nr + 1) * sizeof(*pyramid.order));
	put_lanes(&pyramid);
	put_columns(&pyramid);
	put_numbers(&pyramid, SECTION_RECENT);
	put_numbers(&pyramid, SECTION_FAR);
	put_numbers(&pyramid, SECTION_DECIMAL);
	put_callers(&pyramid);
	free(pyramid.order);
}
