/* SPDX-License-Identifier: MIT */
/*
 * What had to happen, one after the other, for a thread to get to where it is:
 * back from there, through those who ended its waits, and began it.  From the
 * end of a trace on that is its critical path.
 */
#ifndef PTL_TOOLS_REPORT_MODEL_CHAIN_H
#define PTL_TOOLS_REPORT_MODEL_CHAIN_H

#include "tools/report/model/strands.h"

enum ptl_link_kind {
	PTL_LINK_RUNNING, /* or what was not recorded */
	PTL_LINK_WAITING, /* for what no thread ended, as far as is known */
	PTL_LINK_WAKING,  /* from the end of a wait until the thread went on */
};

struct ptl_link {
	enum ptl_link_kind kind;
	const struct ptl_strand *strand;
	const struct ptl_wait *wait; /* NULL: it was running */
	int64_t begin, end;
};

/* Tells of the links from `at' back to `until', the latest first, and goes so
 * many steps at most; returns how many of them are left. */
size_t ptl_chain_walk(struct ptl_strand *strand, int64_t at, int64_t until,
		      size_t steps,
		      void (*tell)(void *of, const struct ptl_link *link),
		      void *of);

/* The thread that last began, or began to wait, up to then; NULL: none. */
struct ptl_strand *ptl_chain_last(const struct ptl_strands *strands,
				  int64_t at);

#endif
