/* SPDX-License-Identifier: MIT */
/*
 * The three steps that decide how each function is patched, after the sweep:
 * entries; exits; and for both, where there is too little room, a jump of two
 * bytes to an island: five bytes nearby that are not used, which are padding,
 * or in the entry of a function, whose instructions are moved anyway.
 */
#ifndef PTL_TOOLS_PLAN_PLACES_H
#define PTL_TOOLS_PLAN_PLACES_H

#include "core/code/x86.h"
#include "tools/plan/plan.h"

/* Of a long jump, and of a short one. */
#define PTL_JUMP_SIZE 5
#define PTL_SHORT_SIZE 2

void ptl_entries_plan(struct ptl_plan *plan);
void ptl_exits_plan(struct ptl_plan *plan);
void ptl_islands_plan(struct ptl_plan *plan);

/* The places of system calls, in place of all these. */
void ptl_sites_plan(struct ptl_plan *plan);

/* Does a system call of that number open a file, or look whether it is there?
 */
bool ptl_site_looks_at_files(int32_t number);

/* Of what the number of a call is put into %eax with: how long it is; 0: it is
 * something else. */
unsigned int ptl_site_number(const unsigned char *code, size_t size,
			     int32_t *number);

/* Does moved code go on behind what is moved of an entry?  Not behind a call,
 * which returns to where the program has it. */
bool ptl_entry_goes_on(struct ptl_plan *plan,
		       const struct ptl_plan_place *entry);

/* The instruction there, before `end'; false: none that is known. */
static inline bool ptl_place_decode(struct ptl_plan *plan, uint64_t at,
				    uint64_t end, struct ptl_x86 *insn)
{
	size_t size;
	const unsigned char *code = ptl_code_bytes(&plan->code, at, end, &size);

	return code != NULL && ptl_x86_decode(code, size, insn);
}

/* Behind it nothing goes on. */
static inline bool ptl_place_ends(const struct ptl_x86 *insn)
{
	return insn->kind == PTL_X86_JUMP ||
	       insn->kind == PTL_X86_JUMP_INDIRECT ||
	       insn->kind == PTL_X86_RETURN || insn->kind == PTL_X86_TRAP;
}

static inline bool ptl_place_calls(const struct ptl_x86 *insn)
{
	return insn->kind == PTL_X86_CALL ||
	       insn->kind == PTL_X86_CALL_INDIRECT;
}

/* An address of 32 bits: data could not be that far away from the copy. */
static inline bool ptl_place_is_near(const struct ptl_x86 *insn)
{
	return insn->is_rip && insn->prefixes & PTL_X86_ADDRESS;
}

#endif
