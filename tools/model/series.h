/* SPDX-License-Identifier: MIT */
/*
 * Gauges and counters, which programs record in fields of their events: the
 * values of one field that belong together, those of a process.
 */
#ifndef PTL_TOOLS_MODEL_SERIES_H
#define PTL_TOOLS_MODEL_SERIES_H

#include "tools/model/model.h"

struct ptl_series {
	/* Whose they are: what ptrace-event records is its shell's.  NULL: not
	 * known. */
	const struct ptl_process *process;
	const char *name; /* interned: TYPE.FIELD; TYPE, of a field "value" */
	enum ptl_arg_mark mark;
	uint64_t number; /* 1, 2 ... */
	double now;	 /* of a counter the sum so far */
	bool is_told;	 /* for who shows it */
};

struct ptl_series_set {
	struct ptl_hash by_field;
};

void ptl_series_begin(struct ptl_series_set *set);
void ptl_series_free(struct ptl_series_set *set);

/* May it have any?  Most events have none; a span may, by its own type. */
static inline bool ptl_series_any(const struct ptl_step *step)
{
	return step->view->type->layout.is_marked || step->span != NULL;
}

/*
 * Of the event the next gauge or counter from argument *at on, which is 0 at
 * first, and what the event says of it; NULL: no more.  Values that are no
 * numbers are left out.
 */
struct ptl_series *ptl_series_take(struct ptl_series_set *set,
				   const struct ptl_step *step,
				   unsigned int *at, double *value);

/* An event of which nothing is shown. */
void ptl_series_learn(struct ptl_series_set *set, const struct ptl_step *step);

#endif
