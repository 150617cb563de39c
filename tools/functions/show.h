/* SPDX-License-Identifier: MIT */
/* Prints what would be traced of an object, as text. */
#ifndef PTL_TOOLS_FUNCTIONS_SHOW_H
#define PTL_TOOLS_FUNCTIONS_SHOW_H

#include "tools/plan/plan.h"
#include "tools/plan/probes.h"

/* What is counted of the functions that are meant; all zero: none. */
struct ptl_show_totals {
	size_t nr, full;
	size_t how[PTL_PLAN_HOWS];
	size_t refused[PTL_PLAN_WHYS], entry_only[PTL_PLAN_WHYS];
	/* The first ones of each reason. */
	const struct ptl_plan_function *first_refused[PTL_PLAN_WHYS][3],
		*first_entry_only[PTL_PLAN_WHYS][3];
};

void ptl_show_count(struct ptl_show_totals *totals,
		    const struct ptl_plan_function *function);

/* A line for a function; and what is above these lines. */
void ptl_show_head(void);
void ptl_show_function(const struct ptl_plan_function *function);

void ptl_show_totals(const struct ptl_plan *plan, const char *object,
		     const struct ptl_show_totals *totals);

/* The system calls of an object: a line for each, and what they are together.
 */
void ptl_show_sites(const struct ptl_plan *plan, const char *object);

/* Probes of an object: a line for each, and what is above these lines. */
void ptl_show_probes_head(void);
void ptl_show_probes(const struct ptl_plan *plan, const char *object,
		     const struct ptl_probes *probes);

/* Call it last. */
void ptl_show_flush(void);

#endif
