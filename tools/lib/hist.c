/* SPDX-License-Identifier: MIT */
/* How often which values; see hist.h. */
#include "tools/lib/hist.h"

#include <stdlib.h>

#include "tools/lib/say.h"

/* Values below 32 have a bucket each, in octave 0; octave n > 0 is from
 * 32 << (n - 1) on. */
static unsigned int octave_of(uint64_t value)
{
	unsigned int bits;

	if (value < PTL_HIST_BUCKETS)
		return 0;
	bits = 63 - (unsigned int)__builtin_clzll(value);
	return bits - 4 < PTL_HIST_OCTAVES ? bits - 4 : PTL_HIST_OCTAVES - 1;
}

static uint64_t middle(unsigned int octave, unsigned int bucket)
{
	unsigned int shift = octave - 1;

	if (octave == 0)
		return bucket;
	return ((uint64_t)(PTL_HIST_BUCKETS + bucket) << shift) +
	       (((uint64_t)1 << shift) >> 1);
}

void ptl_hist_add(struct ptl_hist *hist, uint64_t value)
{
	ptl_hist_add_many(hist, value, 1);
}

void ptl_hist_add_many(struct ptl_hist *hist, uint64_t value, uint64_t nr)
{
	unsigned int octave = octave_of(value);
	uint64_t shifted = octave == 0 ? value : value >> (octave - 1);

	if (nr == 0)
		return;
	hist->nr += nr;
	hist->sum += nr * value;
	if (value > hist->max)
		hist->max = value;
	if (hist->octave[octave] == NULL)
		hist->octave[octave] =
			ptl_alloc(PTL_HIST_BUCKETS * sizeof(uint64_t));
	hist->octave[octave][shifted % PTL_HIST_BUCKETS] += nr;
}

void ptl_hist_free(struct ptl_hist *hist)
{
	for (unsigned int i = 0; i < PTL_HIST_OCTAVES; i++)
		free(hist->octave[i]);
}

int64_t ptl_hist_quantile(const struct ptl_hist *hist, unsigned int permille)
{
	uint64_t wanted = hist->nr - hist->nr * (1000 - permille) / 1000;

	if (hist->nr == 0)
		return -1;
	if (wanted == 0)
		wanted = 1;
	for (unsigned int i = 0; i < PTL_HIST_OCTAVES; i++) {
		for (unsigned int j = 0; j < PTL_HIST_BUCKETS; j++) {
			uint64_t nr = hist->octave[i] ? hist->octave[i][j] : 0;
			uint64_t value = middle(i, j);

			if (nr < wanted) {
				wanted -= nr;
				continue;
			}
			return (int64_t)(value < hist->max ? value : hist->max);
		}
	}
	return (int64_t)hist->max;
}
