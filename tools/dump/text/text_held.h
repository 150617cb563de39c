/* SPDX-License-Identifier: MIT */
/*
 * Lines that are known but for two gaps, and those behind them, which have to
 * wait.  There are at most a few MiB of them: what takes longer to be known is
 * asked for by then.
 */
#ifndef PTL_TOOLS_DUMP_TEXT_TEXT_HELD_H
#define PTL_TOOLS_DUMP_TEXT_TEXT_HELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/lib/out.h"

#define PTL_HELD_FEW 40

/* Of a gap: its bytes, and how many blanks behind it they may replace. */
struct ptl_held_gap {
	uint64_t at;
	unsigned int size, columns, blanks;
	char *bytes; /* few, or allocated */
	char few[PTL_HELD_FEW];
};

struct ptl_held {
	struct ptl_held *next;
	void *owner;
	uint64_t start, end;
	struct ptl_held_gap gap[2];
	bool is_known, is_dropped;
};

/*
 * What is not held goes to `to'.  If too much is, `full' is called with the
 * oldest line that is not known, and has to fill it.
 */
void ptl_held_init(struct ptl_out *to, void (*full)(struct ptl_held *oldest));

/* Where a line has to go, and everything behind it. */
struct ptl_out *ptl_held_out(void);

/* A line with gaps begins; ptl_held_out() is another one from here on. */
struct ptl_held *ptl_held_begin(void *owner);
/* The next of its gaps is here. */
void ptl_held_mark(struct ptl_held *held, unsigned int blanks);
/* A line ends, one with gaps or another; NULL. */
void ptl_held_end(struct ptl_held *held);

/* What is in gap 0 or 1; nothing if this is not called. */
void ptl_held_fill(struct ptl_held *held, unsigned int gap, const char *bytes,
		   size_t size, unsigned int columns);
/* All of the line is known.  It must not be used any more. */
void ptl_held_show(struct ptl_held *held);
/* The line is not shown. */
void ptl_held_drop(struct ptl_held *held);

#endif
