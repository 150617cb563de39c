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

/* Has the file, or standard input, a probe that is meant?  Most have none: then
 * no plan is to be made of their code.  Notes where it was looked. */
bool ptl_wanted_find(struct ptl_probes_wanted *wanted, const char *path,
		     bool is_input);

/* That there is nothing to be patched is an answer, too: nobody asks again. */
void ptl_wanted_nothing(const char *path, bool is_input, struct ptl_buffer *to);

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
