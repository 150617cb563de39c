/* SPDX-License-Identifier: MIT */
/*
 * Which probes (tools/plan/notes.h) are meant: patterns "sdt:PROVIDER:NAME", of
 * which the first word may be left out, and the last one, if any name is meant;
 * and what there is to be said of them.
 */
#ifndef PTL_TOOLS_FUNCTIONS_PROBES_H
#define PTL_TOOLS_FUNCTIONS_PROBES_H

#include "tools/plan/patches.h"

struct ptl_probe_pattern {
	const char *text, *provider, *name;
	uint32_t strings;      /* a bit for each argument that leads to one */
	size_t nr_here;	       /* that are traced, in the file at hand */
	size_t nr, nr_refused; /* in all of them */
	char refused[512];     /* the first of these, and why */
};

struct ptl_probes_wanted {
	struct ptl_probe_pattern *pattern;
	size_t nr;		  /* 0: no probes are asked for */
	size_t nr_without;	  /* files that have no probes */
	struct ptl_buffer looked; /* those that have some, in words */
	bool has_head;		  /* of the list */
};

/* From a list with commas between. */
void ptl_wanted_parse(struct ptl_probes_wanted *wanted, const char *list);

/* Has the file a probe that is meant?  Notes that another file was, for what is
 * said if none is. */
bool ptl_wanted_any(struct ptl_probes_wanted *wanted,
		    const struct ptl_notes *notes, const char *path);

/* Adds those of a plan that are meant to its patches, and says of each pattern
 * how many. */
void ptl_wanted_add(struct ptl_probes_wanted *wanted, struct ptl_plan *plan,
		    struct ptl_patches *patches);

/* A line for each of these. */
void ptl_wanted_list(struct ptl_probes_wanted *wanted, struct ptl_plan *plan,
		     const char *path);

/* Says which patterns mean nothing, or nothing that can be traced.  Returns
 * whether there are such that mean nothing. */
bool ptl_wanted_tell(const struct ptl_probes_wanted *wanted, bool is_list);

#endif
