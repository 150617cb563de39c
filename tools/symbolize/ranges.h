/* SPDX-License-Identifier: MIT */
/* What is where in a file: by ranges of addresses, which may overlap. */
#ifndef PTL_TOOLS_SYMBOLIZE_RANGES_H
#define PTL_TOOLS_SYMBOLIZE_RANGES_H

#include <stddef.h>
#include <stdint.h>

struct ptl_range {
	uint64_t start, end;
	uint64_t reach; /* the highest end of this one and those before */
	size_t added;	/* how many were there before it */
	void *what;
};

/* All zero: empty. */
struct ptl_ranges {
	struct ptl_range *range; /* by start, once they are sorted */
	size_t nr, room;
	size_t nr_asked; /* that were to be added, for a limit */
};

void ptl_ranges_add(struct ptl_ranges *ranges, uint64_t start, uint64_t end,
		    void *what);

/* Call it when all have been added. */
void ptl_ranges_sort(struct ptl_ranges *ranges);

/* What has the address: of several, of the range that begins last, or is
 * shorter, or was added later.  NULL: none has. */
void *ptl_ranges_find(const struct ptl_ranges *ranges, uint64_t address);

#endif
