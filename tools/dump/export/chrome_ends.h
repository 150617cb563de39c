/* SPDX-License-Identifier: MIT */
/*
 * What ended last in a track, for -f chrome.  Viewers add a time and a duration
 * as doubles.  Of what ends at the same time, or begins when something ends,
 * the order would be lost by that: a tie is broken by so many picoseconds.
 */
#ifndef PTL_TOOLS_DUMP_CHROME_ENDS_H
#define PTL_TOOLS_DUMP_CHROME_ENDS_H

#include <stdbool.h>
#include <stdint.h>

/* Ends of outer ones may be known before those of inner ones. */
#define PTL_CHROME_ENDS 8

/* When something ended, and how ties with that are broken. */
struct ptl_chrome_end {
	uint64_t at;
	uint64_t begin; /* of the outermost that ended then */
	int low, high;	/* of the innermost and of the outermost */
};

/* All zero: none. */
struct ptl_chrome_ends {
	struct ptl_chrome_end end[PTL_CHROME_ENDS];
	unsigned int next;
};

/* Of what begins then. */
int ptl_chrome_ends_tie(const struct ptl_chrome_ends *ends, uint64_t at);

/*
 * Of what ends then: longer than what is in it, which is written before; but
 * shorter than what was known to end then when it began, and the deeper the
 * shorter.  Known: before that of what is in it.
 */
int ptl_chrome_ends_add(struct ptl_chrome_ends *ends, uint64_t begin,
			uint64_t at, bool is_known, int depth);

/* What began at that time does not end behind what it is in and whose end is
 * known: a log may be cut between. */
uint64_t ptl_chrome_ends_limit(const struct ptl_chrome_ends *ends,
			       uint64_t begin, uint64_t at);

#endif
