/* SPDX-License-Identifier: MIT */
/* Places away from the program's are each given once, and none below the end. */
#include "core/sys/away.h"

#include "t/lib/tap.h"

#define MIB ((size_t)1 << 20)
#define ARM39 ((uintptr_t)1 << 39) /* the least that a processor can address */

int main(void)
{
	uintptr_t last, at = 0, nr = 0, wrong = 0;

	plan(7);
	ok(!ptl_away(MIB), "none before the program begins");
	ptl_away_begin(0x484a000);
	ok(!ptl_away(MIB), "none where the library lies as low as in valgrind");

	ptl_away_begin(ARM39 - MIB);
	last = (uintptr_t)ptl_away(MIB);
	ok(last && last < ARM39 - (ARM39 >> 8), "far below the library");
	ok(last % PTL_AWAY_UNIT == 0, "pages may be large");
	while (nr < ARM39 / MIB && (at = (uintptr_t)ptl_away(20 * MIB))) {
		wrong += at + 20 * MIB >= last;
		last = at;
		nr++;
	}
	is_int((long long)wrong, 0, "each below the one before, not next to it");
	ok(nr > 5000 && !at, "they come to an end");
	ok(last > ARM39 / 3 * 2, "above where a program has its heap");
	return done();
}
