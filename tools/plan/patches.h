/* SPDX-License-Identifier: MIT */
/* The patches of a file, for those of its functions that somebody wants. */
#ifndef PTL_TOOLS_PLAN_PATCHES_H
#define PTL_TOOLS_PLAN_PATCHES_H

#include "tools/plan/pieces.h"
#include "tools/plan/probes.h"

struct ptl_patches {
	struct ptl_plan *plan;
	bool entries_only;
	struct ptl_pieces arena;
	struct ptl_patch *patch;
	size_t nr, room;
	struct ptl_buffer was;
	struct ptl_buffer told;
	struct ptl_buffer prototypes; /* struct ptl_patch_prototype */
	struct ptl_buffer texts;
	struct ptl_buffer probes;    /* struct ptl_patch_probe */
	struct ptl_buffer arguments; /* struct ptl_patch_argument */
	/* Of each function: its entry is moved; or has to be, for an island. */
	bool *is_moved, *is_needed;
	bool has_hooks; /* and calls of hooks are replaced */
	bool is_of_calls;
	/* How many functions are traced, and how. */
	size_t nr_functions;
	size_t nr_refused[PTL_PLAN_WHYS], nr_entry_only[PTL_PLAN_WHYS];
};

void ptl_patches_begin(struct ptl_patches *patches, struct ptl_plan *plan,
		       bool entries_only);
void ptl_patches_free(struct ptl_patches *patches);

/* Adds a function of the plan; or says why it cannot be traced, which is
 * counted. */
enum ptl_plan_why ptl_patches_add(struct ptl_patches *patches,
				  struct ptl_plan_function *function);

/* Adds a system call of the plan.  A block is of these or of functions. */
void ptl_patches_add_site(struct ptl_patches *patches,
			  const struct ptl_plan_site *site);

/* Of what is added: a place, which is moved, and the jump there; false: it
 * cannot be. */
struct ptl_move;
bool ptl_patches_place(struct ptl_patches *patches,
		       const struct ptl_plan_place *place,
		       const struct ptl_move *how);

/* Moves what islands of functions that were added need. */
void ptl_patches_needed(struct ptl_patches *patches);

/* Adds the probes, behind all functions; of one that is where a function is
 * patched, or cannot be, its place then says why. */
void ptl_patches_add_probes(struct ptl_patches *patches,
			    struct ptl_probes *probes);

/* Of a pattern: how many functions it means that are traced. */
void ptl_patches_tell(struct ptl_patches *patches, size_t nr,
		      const char *pattern);

/* All of it, as a process takes it: core/format/patches.h. */
void ptl_patches_finish(struct ptl_patches *patches, struct ptl_buffer *to);

#endif
