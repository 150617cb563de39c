/* SPDX-License-Identifier: MIT */
/*
 * Sorts by digits, the lowest first; see sort.h.  What is sorted are numbers of
 * elements; these are moved once, at the end.
 */
#include "tools/lib/sort.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

#define DIGIT 11 /* bits */
#define DIGITS (1u << DIGIT)

struct ranked {
	uint64_t number;
	size_t element;
};

static uint64_t number_of(const char *array, size_t i, size_t size)
{
	uint64_t number;

	memcpy(&number, array + i * size, sizeof(number));
	return number;
}

static bool is_sorted(const char *array, size_t nr, size_t size)
{
	for (size_t i = 1; i < nr; i++)
		if (number_of(array, i - 1, size) > number_of(array, i, size))
			return false;
	return true;
}

static void sort_digit(const struct ranked *from, struct ranked *to, size_t nr,
		       unsigned int shift)
{
	size_t place[DIGITS] = {0}, next = 0;

	for (size_t i = 0; i < nr; i++)
		place[from[i].number >> shift & (DIGITS - 1)]++;
	for (size_t digit = 0; digit < DIGITS; digit++) {
		size_t here = place[digit];

		place[digit] = next;
		next += here;
	}
	for (size_t i = 0; i < nr; i++)
		to[place[from[i].number >> shift & (DIGITS - 1)]++] = from[i];
}

/* Element i is to be the one that ranked[i] says; what goes round in a circle
 * begins with the one that is kept aside. */
static void move(char *array, struct ranked *ranked, size_t nr, size_t size)
{
	char *aside = ptl_alloc(size);

	for (size_t i = 0; i < nr; i++) {
		size_t at = i, from = ranked[i].element;

		if (from == i)
			continue;
		memcpy(aside, array + i * size, size);
		for (; from != i; from = ranked[at].element) {
			memcpy(array + at * size, array + from * size, size);
			ranked[at].element = at;
			at = from;
		}
		memcpy(array + at * size, aside, size);
		ranked[at].element = at;
	}
	free(aside);
}

void ptl_sort_by_number(void *array, size_t nr, size_t size)
{
	struct ranked *ranked, *other;
	uint64_t differ = 0;

	if (is_sorted(array, nr, size))
		return;
	ranked = ptl_alloc(nr * sizeof(*ranked));
	other = ptl_alloc(nr * sizeof(*other));
	for (size_t i = 0; i < nr; i++) {
		ranked[i] = (struct ranked){number_of(array, i, size), i};
		differ |= ranked[i].number ^ ranked[0].number;
	}
	for (unsigned int shift = 0; shift < 64; shift += DIGIT) {
		struct ranked *sorted = other;

		if ((differ >> shift & (DIGITS - 1)) == 0)
			continue;
		sort_digit(ranked, sorted, nr, shift);
		other = ranked;
		ranked = sorted;
	}
	move(array, ranked, nr, size);
	free(ranked);
	free(other);
}
