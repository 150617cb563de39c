/* SPDX-License-Identifier: MIT */
/*
 * Waits summed up: by program and by what it waited for, and what those whom it
 * waited for did meanwhile; and a chain of events (chain.h), by what was done.
 */
#ifndef PTL_TOOLS_REPORT_MODEL_WAIT_SUMS_H
#define PTL_TOOLS_REPORT_MODEL_WAIT_SUMS_H

#include "tools/report/model/chain.h"
#include "tools/lib/hist.h"

/* What a program did for a part of the time. */
struct ptl_deed {
	struct ptl_deed *next;
	const char *program, *what;  /* interned */
	const struct ptl_site *site; /* of a wait; NULL: several, or none */
	bool is_known;
	uint64_t nr;
	int64_t time, max; /* ns */
	int64_t gain;	   /* see gains.h */
	bool is_gain_known;
};

/* Of one program: what it waited for. */
struct ptl_wait_sum {
	const char *program, *name; /* interned */
	enum ptl_wait_kind kind;
	struct ptl_hist hist;
	uint64_t nr_unknown;	    /* it is not known who ended them */
	struct ptl_deed *meanwhile; /* the longest first */
};

struct ptl_wait_sums;

/* Of all waits; after ptl_strands_end(). */
struct ptl_wait_sums *ptl_wait_sums_new(const struct ptl_strands *strands);
void ptl_wait_sums_free(struct ptl_wait_sums *sums);

/* NULL before the first, and behind the last. */
const struct ptl_wait_sum *ptl_wait_sums_next(const struct ptl_wait_sums *sums,
					      const struct ptl_wait_sum *sum);

/* "running", "waking up", or what it waits for; interned. */
const char *ptl_link_name(const struct ptl_link *link);

/* Of the last wait on there were too many steps to be followed? */
bool ptl_wait_sums_is_cut(const struct ptl_wait_sums *sums);

/* Adds a link to those of its program that are called so. */
struct ptl_deed *ptl_deeds_add(struct ptl_hash *deeds, const void *of,
			       const struct ptl_link *link);

#endif
