/* SPDX-License-Identifier: MIT */
/*
 * Following a line of the clock function without a division gives what the
 * division gives, to the last bit; and a line ends where the next begins.
 */
#include "core/sys/clock.h"

#include "t/lib/tap.h"

#include <stdlib.h>

#define ROUNDS 300000

/* All magnitudes alike. */
static uint64_t random_word(void)
{
	uint64_t word = (uint64_t)random() << 33 ^ (uint64_t)random() << 11 ^
			(uint64_t)random();

	return word >> random() % 64;
}

static uint64_t divided(const struct ptl_shm_anchor *a, uint64_t counter)
{
	uint64_t dx = a[1].counter - a[0].counter, dy = a[1].ns - a[0].ns;
	bool after = counter >= a[0].counter;
	uint64_t x = after ? counter - a[0].counter : a[0].counter - counter;
	uint64_t y = dx ? (uint64_t)((unsigned __int128)x * dy / dx) : 0;

	return after ? a[0].ns + y : a[0].ns - y;
}

static int count_wrong(void)
{
	int wrong = 0;

	for (int i = 0; i < ROUNDS; i++) {
		struct ptl_shm_anchor a[2] = {
			{random_word(), random_word()},
		};
		struct ptl_clock_line line;
		uint64_t counter;

		a[1].counter = a[0].counter + random_word();
		a[1].ns = a[0].ns + random_word();
		if (a[1].counter < a[0].counter)
			continue;
		line = ptl_clock_line(PTL_CLOCK_TSC, a, 2, a[0].counter);
		counter = random_word();
		/* One that a quotient is a whole number at, or nearly. */
		if (i % 2)
			counter = a[1].counter - (uint64_t)random() % 2;
		wrong += ptl_clock_follow(&line, counter) !=
			 (a[0].counter == a[1].counter ? a[1].ns :
							 divided(a, counter));
	}
	return wrong;
}

static const struct ptl_shm_anchor three[] = {
	{1000000000, 5000000000},
	{2000000000, 5500000000},
	{3000000000, 5900000000},
};

static void check_ends(uint64_t counter, uint64_t begin, uint64_t end,
		       const char *where)
{
	struct ptl_clock_line line =
		ptl_clock_line(PTL_CLOCK_TSC, three, 3, counter);

	ok(line.begin == begin && line.end == end, "%s: from where to where",
	   where);
	ok(ptl_clock_covers(&line, counter) && ptl_clock_covers(&line, begin) &&
		   ptl_clock_covers(&line, end - 1) &&
		   !ptl_clock_covers(&line, end),
	   "%s: covers that", where);
}

int main(void)
{
	plan(9);
	ptl_clock_init();
	srandom(1);
	is_int(count_wrong(), 0, "%d times the same as by division", ROUNDS);
	check_ends(5, 0, 1000000000, "before all anchors");
	check_ends(1000000000, 1000000000, 2000000000, "at an anchor");
	check_ends(2999999999, 2000000000, 3000000000, "right before one");
	check_ends(3000000000, 3000000000, UINT64_MAX, "at the last one");
	return done();
}
