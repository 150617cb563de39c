/* SPDX-License-Identifier: MIT */
/* See chrome_ends.h. */
#include "tools/dump/export/chrome_ends.h"

/* PTL_CHROME_ENDS: nothing ended then. */
static unsigned int find(const struct ptl_chrome_ends *ends, uint64_t at)
{
	unsigned int i = 0;

	while (i < PTL_CHROME_ENDS && ends->end[i].at != at)
		i++;
	return i;
}

/* In place of one that was over when this one began; else of the oldest. */
static struct ptl_chrome_end *new_end(struct ptl_chrome_ends *ends,
				      uint64_t begin)
{
	for (unsigned int i = 0; i < PTL_CHROME_ENDS; i++)
		if (ends->end[i].at < begin)
			return &ends->end[i];
	return &ends->end[ends->next++ % PTL_CHROME_ENDS];
}

int ptl_chrome_ends_tie(const struct ptl_chrome_ends *ends, uint64_t at)
{
	unsigned int i = find(ends, at);

	return i < PTL_CHROME_ENDS ? ends->end[i].high + 1 : 0;
}

int ptl_chrome_ends_add(struct ptl_chrome_ends *ends, uint64_t begin,
			uint64_t at, bool is_known, int depth)
{
	unsigned int i = find(ends, at);
	struct ptl_chrome_end *end = &ends->end[i % PTL_CHROME_ENDS];

	if (i == PTL_CHROME_ENDS) {
		end = new_end(ends, begin);
		*end = (struct ptl_chrome_end){.at = at, .begin = begin};
		return 0;
	}
	if (begin < at && end->begin < begin + is_known)
		return is_known ? --end->low : end->low - depth - 1;
	if (begin < end->begin)
		end->begin = begin;
	return ++end->high;
}

uint64_t ptl_chrome_ends_limit(const struct ptl_chrome_ends *ends,
			       uint64_t begin, uint64_t at)
{
	for (unsigned int i = 0; i < PTL_CHROME_ENDS; i++) {
		const struct ptl_chrome_end *end = &ends->end[i];

		if (end->begin < begin && end->at > begin && end->at < at)
			at = end->at;
	}
	return at;
}
