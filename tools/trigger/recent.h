/* SPDX-License-Identifier: MIT */
/*
 * Of copies of memory, one after the other: which events the one before did not
 * have.  An event is recorded when it is over, or when the kernel tells of it,
 * but has the time of its beginning: so what is later than all of the other
 * copy is not all that is new.  Of one type and thread events come in the order
 * of their ends.
 */
#ifndef PTL_TOOLS_TRIGGER_RECENT_H
#define PTL_TOOLS_TRIGGER_RECENT_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/lib/hash.h"
#include "tools/read/source.h"

/* All zero at first. */
struct ptl_recent {
	struct ptl_hash copy[2]; /* the newest ends, by type and thread */
	unsigned int at;	 /* which of them is that of this copy */
};

/* When the source's current event was over, ns by CLOCK_REALTIME. */
uint64_t ptl_recent_end(const struct ptl_source *source);

/* The source's current event is in this copy: is it new? */
bool ptl_recent_learn(struct ptl_recent *recent,
		      const struct ptl_source *source);

/* Another copy follows. */
void ptl_recent_next(struct ptl_recent *recent);

#endif
