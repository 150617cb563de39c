/* SPDX-License-Identifier: MIT */
/* Words of any value are taken apart without leaving what is there. */
#include "core/format/record.h"

#include "t/lib/tap.h"

#include <stdlib.h>
#include <string.h>

#define NR_TRIES 200000

static uint64_t random_word(void)
{
	return (uint64_t)random() << 42 ^ (uint64_t)random() << 21 ^
	       (uint64_t)random();
}

/* Exactly `size' bytes on the heap, so that a sanitizer sees one too many. */
static int try_size(size_t size)
{
	uint64_t *words = malloc(size ? size : 1);
	struct ptl_record rec;
	int bad = 0;

	for (size_t i = 0; i < size / 8; i++)
		words[i] = random() % 4 ? random_word() :
					  random_word() & 0xfe00ffff;
	if (ptl_record_parse(words, size, &rec))
		bad = rec.bytes == 0 || rec.bytes > size || rec.bytes % 8 ||
		      rec.data_size > size;
	free(words);
	return bad;
}

int main(void)
{
	uint64_t zero = 0, wide[4] = { 0 };
	struct ptl_record rec;
	int bad = 0;

	plan(5);
	srandom(1);
	for (int i = 0; i < NR_TRIES; i++)
		bad += try_size((size_t)(random() % 64) * 8);
	is_int(bad, 0, "%d heaps of garbage", NR_TRIES);
	ok(!ptl_record_parse(&zero, 0, &rec), "nothing there");
	ok(ptl_record_parse(&zero, 8, &rec) && rec.bytes == 8 &&
	   rec.id == PTL_ID_PAD && !rec.committed, "a zero word is a hole");
	wide[0] = ptl_record_word0(0, PTL_ID_LIMIT - 1,
				   PTL_RECORD_COMMITTED | PTL_RECORD_EXTENDED,
				   0) & ~(uint64_t)PTL_RECORD_SIZE_MAX;
	ok(ptl_record_parse(wide, sizeof(wide), &rec) && rec.id == PTL_ID_PAD,
	   "a long id that is a short one, or none, is no event");
	zero = UINT64_MAX;
	ok(!ptl_record_parse(&zero, 8, &rec), "half a header");
	return done();
}
