/* SPDX-License-Identifier: MIT */
/* Fewer slices; see slices_thin.h. */
#include "tools/page/slices_thin.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

/* Of lanes, with those of calls that are still open. */
#define LANES (2 * PTL_SLICES_LANES)

/* Quanta are powers of two, of these; and a slice that begins a place. */
#define LEVELS 64
#define NEVER LEVELS
#define FIRST 128

struct thinner {
	struct ptl_thinning *all;
	size_t nr;
	unsigned char *lane; /* of each slice */
	/* Of each slice: in which quantum it is one with its neighbour. */
	unsigned char *level;
	unsigned int part; /* the power that is the time of a place */
};

/* A place: how many slices it has; of each level, how many are gone by it. */
struct place {
	size_t end, nr;
	uint32_t gone[LEVELS + 1];
};

static unsigned int bits_of(int64_t number)
{
	return number > 0 ? 64 - (unsigned int)__builtin_clzll(
					 (unsigned long long)number) :
			    0;
}

static unsigned int larger(unsigned int a, unsigned int b)
{
	return a > b ? a : b;
}

/* The quantum in which both begin, and than which both are shorter. */
static unsigned int level_of(const struct ptl_slice *before,
			     const struct ptl_slice *slice)
{
	unsigned int level = bits_of(before->begin ^ slice->begin);

	level = larger(level, bits_of(before->end - before->begin));
	return larger(level, bits_of(slice->end - slice->begin));
}

static void find_levels(struct thinner *thinner)
{
	const struct ptl_thinning *all = thinner->all;
	struct ptl_slice_nest nest = {.track = UINT32_MAX};
	const struct ptl_slice *last[LANES] = {NULL};

	for (size_t i = 0; i < thinner->nr; i++) {
		const struct ptl_slice *slice = &all->slice[i], **before;
		unsigned int lane = ptl_slice_lane(&nest, slice);

		if (all->open != NULL)
			lane += all->open(all->of, slice->track, slice->begin);
		lane %= LANES;
		before = &last[lane];
		thinner->lane[i] = (unsigned char)lane;
		thinner->level[i] = NEVER;
		if (*before != NULL && (*before)->track == slice->track)
			thinner->level[i] =
				(unsigned char)level_of(*before, slice);
		*before = slice;
	}
}

/* Marks the slices that begin a place. */
static void find_places(struct thinner *thinner)
{
	const struct ptl_slice *slice = thinner->all->slice, *before = NULL;

	for (size_t i = 0; i < thinner->nr; i++, slice++) {
		bool is_first =
			before == NULL || before->track != slice->track ||
			(before->begin ^ slice->begin) >> thinner->part != 0;

		thinner->level[i] &= FIRST - 1;
		if (is_first)
			thinner->level[i] |= FIRST;
		before = slice;
	}
}

static void read_place(const struct thinner *thinner, size_t from,
		       struct place *place)
{
	size_t i = from;

	memset(place->gone, 0, sizeof(place->gone));
	do
		place->gone[thinner->level[i++] & (FIRST - 1)]++;
	while (i < thinner->nr && !(thinner->level[i] & FIRST));
	place->end = i;
	place->nr = i - from;
}

/* The quantum of a place that keeps no more than `most', if it can; NEVER: all
 * may stay.  *nr is what stays. */
static unsigned int quantum_of(const struct thinner *thinner,
			       const struct place *place, size_t most,
			       size_t *nr)
{
	unsigned int level = 0;

	*nr = place->nr;
	if (*nr <= most)
		return NEVER;
	for (;; level++) {
		*nr -= place->gone[level];
		if (*nr <= most || level >= thinner->part)
			return level;
	}
}

/* How many slices stay, if no place keeps more than that. */
static size_t count(const struct thinner *thinner, size_t most)
{
	struct place place;
	size_t sum = 0, nr;

	for (size_t i = 0; i < thinner->nr; i = place.end) {
		read_place(thinner, i, &place);
		quantum_of(thinner, &place, most, &nr);
		sum += nr;
	}
	return sum;
}

/* How many each place may keep, that `max' stay; 0: there is no such number. */
static size_t find_most(const struct thinner *thinner, size_t max)
{
	size_t low = 0, high = max + 1;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (count(thinner, middle) <= max)
			low = middle;
		else
			high = middle;
	}
	return low;
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

static void join_place(struct thinner *thinner, size_t from, size_t end,
		       unsigned int quantum, size_t last[LANES])
{
	struct ptl_thinning *all = thinner->all;

	for (size_t i = from; i < end; i++) {
		size_t *at = &last[thinner->lane[i]];
		unsigned int level = thinner->level[i] & (FIRST - 1);

		if (quantum != NEVER && level <= quantum) {
			join(&all->slice[*at], &all->slice[i]);
			continue;
		}
		*at = all->nr;
		all->slice[all->nr++] = all->slice[i];
	}
}

static void join_all(struct thinner *thinner, size_t most)
{
	struct ptl_thinning *all = thinner->all;
	size_t last[LANES] = {0}, stays;
	struct place place;

	all->nr = 0;
	for (size_t i = 0; i < thinner->nr; i = place.end) {
		unsigned int quantum;

		read_place(thinner, i, &place);
		quantum = quantum_of(thinner, &place, most, &stays);
		join_place(thinner, i, place.end, quantum, last);
		if (quantum != NEVER && INT64_C(1) << quantum > all->quantum)
			all->quantum = INT64_C(1) << quantum;
	}
}

bool ptl_slices_thin(struct ptl_thinning *all, size_t max)
{
	struct thinner thinner = {.all = all, .nr = all->nr};
	size_t most = 0;
	int64_t last = 0;

	if (all->nr <= max)
		return true;
	for (size_t i = 0; i < all->nr; i++)
		if (all->slice[i].begin > last)
			last = all->slice[i].begin;
	thinner.part = bits_of(last / PTL_SLICES_PARTS);
	thinner.lane = ptl_alloc(all->nr);
	thinner.level = ptl_alloc(all->nr);
	find_levels(&thinner);
	for (; thinner.part < LEVELS - 1 && most == 0; thinner.part++) {
		find_places(&thinner);
		most = find_most(&thinner, max);
		if (most > 0)
			join_all(&thinner, most);
	}
	free(thinner.lane);
	free(thinner.level);
	return most > 0;
}
