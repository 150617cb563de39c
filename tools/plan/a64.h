/* SPDX-License-Identifier: MIT */
/*
 * What of a plan is otherwise for aarch64.  An instruction is four bytes, and
 * so is a jump: what is moved is the one instruction over which it is written,
 * nothing leads into its midst, and there is always room.  Where jumps by
 * tables lead is of no matter.
 */
#ifndef PTL_TOOLS_PLAN_A64_H
#define PTL_TOOLS_PLAN_A64_H

#include "core/code/a64.h"
#include "tools/plan/move.h"
#include "tools/plan/sweeping.h"

/* The instruction there; false: none that is known. */
bool ptl_a64_read(struct ptl_code *code, uint64_t at, struct ptl_a64 *insn);

/* The sweep of what is between these addresses, of sweep->section. */
void ptl_a64_sweep(struct ptl_sweep *sweep, uint64_t start, uint64_t end);

/* The entry of a function, which has this number. */
void ptl_a64_entry(struct ptl_plan *plan, struct ptl_plan_function *function,
		   uint32_t number);

/* Is the indirect jump there one of a switch of the function? */
bool ptl_a64_is_switch(struct ptl_plan *plan,
		       const struct ptl_plan_function *function, uint64_t at);

/* As ptl_move(). */
uint32_t ptl_a64_move(struct ptl_pieces *arena,
		      const struct ptl_plan_place *place,
		      const struct ptl_move *how);

#endif
