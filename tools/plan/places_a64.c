/* SPDX-License-Identifier: MIT */
/* Entries, and which jumps are none of a switch; see a64.h. */
#include "tools/plan/a64.h"

/* Instructions between an address for a jump and that. */
#define BEFORE 8

static enum ptl_plan_why look(struct ptl_plan *plan,
			      const struct ptl_plan_function *function,
			      const struct ptl_plan_place *entry)
{
	struct ptl_a64 insn;

	if (entry->at + PTL_A64_SIZE > function->end)
		return PTL_PLAN_TINY;
	if (!ptl_a64_read(&plan->code, entry->at, &insn))
		return PTL_PLAN_UNKNOWN;
	if (insn.kind == PTL_A64_TRAP || insn.kind == PTL_A64_SYSTEM)
		return PTL_PLAN_TRAP;
	if (insn.kind == PTL_A64_CALL_INDIRECT && !ptl_a64_is_blr(insn.word))
		return PTL_PLAN_CALL;
	if (insn.kind != PTL_A64_CALL && insn.kind != PTL_A64_CALL_INDIRECT &&
	    ptl_code_known(&plan->code, entry->at) & PTL_BYTE_CAUGHT)
		return PTL_PLAN_CAUGHT;
	/* Another one has it, or it is a constant. */
	if (ptl_code_known(&plan->code, entry->at) & PTL_BYTE_TAKEN)
		return PTL_PLAN_UNKNOWN;
	return PTL_PLAN_WHY_NOT;
}

void ptl_a64_entry(struct ptl_plan *plan, struct ptl_plan_function *function,
		   uint32_t number)
{
	struct ptl_plan_place *entry = &function->entry;
	struct ptl_a64 insn;

	*entry = (struct ptl_plan_place){
		.at = function->start,
		.function = number,
		.kind = PTL_PLAN_ENTRY,
		.size = PTL_A64_SIZE,
	};
	if (ptl_a64_read(&plan->code, entry->at, &insn) &&
	    ptl_a64_is_landing(insn.word))
		entry->at += PTL_A64_SIZE;
	entry->why = (uint8_t)look(plan, function, entry);
	if (entry->why != PTL_PLAN_WHY_NOT)
		return;
	entry->how = PTL_PLAN_JUMP;
	ptl_code_mark(&plan->code, entry->at, entry->at + PTL_A64_SIZE,
		      PTL_BYTE_TAKEN);
}

/* add Rd, Rn, Rm, with a shift or an extension: of an entry, to an address. */
static bool is_sum(uint32_t word)
{
	return (word & 0xffe00000u) == 0x8b200000u ||
	       (word & 0xff200000u) == 0x8b000000u;
}

/* ldr Rt, [Rn, Rm]: an address of a table. */
static bool is_element(uint32_t word)
{
	return (word & 0xffe00c00u) == 0xf8600800u;
}

/*
 * As compilers write it, what puts the address into the register is one of
 * these.  The register is followed back as far as nothing else is done than to
 * compute.
 */
bool ptl_a64_is_switch(struct ptl_plan *plan,
		       const struct ptl_plan_function *function, uint64_t at)
{
	struct ptl_a64 insn;
	unsigned int reg;

	if (!ptl_a64_read(&plan->code, at, &insn))
		return true;
	reg = ptl_a64_rn(insn.word);
	for (unsigned int i = 0; i < BEFORE && at > function->start; i++) {
		at -= PTL_A64_SIZE;
		if (!ptl_a64_read(&plan->code, at, &insn) ||
		    insn.kind != PTL_A64_PLAIN)
			break;
		if (ptl_a64_rd(insn.word) == reg)
			return is_sum(insn.word) || is_element(insn.word);
	}
	return false;
}
