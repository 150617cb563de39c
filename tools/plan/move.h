/* SPDX-License-Identifier: MIT */
/* Moves the instructions of a place into a piece of an arena. */
#ifndef PTL_TOOLS_PLAN_MOVE_H
#define PTL_TOOLS_PLAN_MOVE_H

#include "core/code/x86.h"
#include "tools/plan/pieces.h"

struct ptl_move_probe {
	uint64_t at;
	size_t word;
};

/* What the piece tells the recorder. */
struct ptl_move {
	enum ptl_patch_slot entry; /* of an entry, if it is_entry */
	bool is_entry;
	bool has_exits; /* those in it, too */
	bool is_traced; /* what it is of: by no hook, too */
	bool is_typed;	/* exits of a function with a prototype */
	bool has_role;	/* and of one with a role */
	bool is_system; /* a system call is told */
	size_t word;	/* the function's */

	/* Probes of a place, by address, and the word of each. */
	const struct ptl_move_probe *probe;
	size_t nr_probes;
};

/* Returns where in the arena it begins; 0: it cannot be moved, and what is in
 * the arena then is to be taken back. */
uint32_t ptl_move(struct ptl_pieces *arena, const struct ptl_plan_place *place,
		  const struct ptl_move *how);

/* Can a call be moved?  Not if it finds its target by the stack pointer. */
bool ptl_move_can_call(const struct ptl_x86 *insn, const unsigned char *code);

#endif
