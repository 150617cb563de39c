/* SPDX-License-Identifier: MIT */
/*
 * How the probes of a file (notes.h) are to be patched: a jump over the
 * operation that does nothing, and over instructions behind it, or before it,
 * up to five bytes.  Of probes that are close together one place has several.
 */
#ifndef PTL_TOOLS_PLAN_PROBES_H
#define PTL_TOOLS_PLAN_PROBES_H

#include "tools/plan/notes.h"
#include "tools/plan/plan.h"

struct ptl_probe {
	const struct ptl_note *note;
	struct ptl_plan_place place; /* PTL_PLAN_INSIDE: in that before it */
	uint32_t strings; /* a bit for each argument that leads to one */
	char *type;	  /* the event type's name, and its fields */
	size_t type_size; /* with two nulls */
};

struct ptl_probes {
	struct ptl_probe *probe; /* by address */
	size_t nr;
};

/* Of the notes, which must stay, those for which `wants' says so, and which of
 * its arguments lead to strings, a bit each; and how each
 * is patched in the file that the plan is of. */
void ptl_probes_plan(struct ptl_probes *probes, struct ptl_plan *plan,
		     const struct ptl_notes *notes,
		     bool (*wants)(const struct ptl_note *note,
				   uint32_t *strings, void *arg),
		     void *arg);
void ptl_probes_free(struct ptl_probes *probes);

#endif
