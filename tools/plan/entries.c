/* SPDX-License-Identifier: MIT */
/* Whether the first instructions of a function can be moved; see places.h. */
#include "tools/plan/a64.h"
#include "tools/plan/move.h"
#include "tools/plan/places.h"

/* All of it is before `at', where it ends or nothing goes on: the rest of the
 * jump is on padding, if that is there. */
static enum ptl_plan_why end_early(struct ptl_plan *plan,
				   struct ptl_plan_place *entry, uint64_t at)
{
	if (!ptl_code_is_free(&plan->code, at, entry->at + PTL_JUMP_SIZE))
		return PTL_PLAN_TINY;
	entry->how = PTL_PLAN_PADDING;
	return PTL_PLAN_WHY_NOT;
}

static enum ptl_plan_why check_insn(const struct ptl_x86 *insn,
				    const unsigned char *code, bool is_first,
				    bool is_last)
{
	if (ptl_place_is_near(insn))
		return PTL_PLAN_ADDRESS;
	if (ptl_place_calls(insn) &&
	    !(is_last && ptl_move_can_call(insn, code)))
		return PTL_PLAN_CALL;
	if (is_first &&
	    (insn->kind == PTL_X86_TRAP || insn->kind == PTL_X86_SYSTEM))
		return PTL_PLAN_TRAP;
	return PTL_PLAN_WHY_NOT;
}

/* Over how many instructions a jump would be, and whether it may. */
static enum ptl_plan_why look(struct ptl_plan *plan,
			      const struct ptl_plan_function *function,
			      struct ptl_plan_place *entry)
{
	uint64_t at = entry->at, end = entry->at + PTL_JUMP_SIZE;
	struct ptl_x86 insn = {.kind = PTL_X86_PLAIN};
	enum ptl_plan_why why = PTL_PLAN_WHY_NOT;
	const unsigned char *code;
	size_t size;

	while (at < end && at < function->end && !ptl_place_ends(&insn)) {
		if (!ptl_place_decode(plan, at, function->end, &insn))
			return PTL_PLAN_UNKNOWN;
		code = ptl_code_bytes(&plan->code, at, function->end, &size);
		why = check_insn(&insn, code, at == entry->at,
				 at + insn.size >= end);
		if (why != PTL_PLAN_WHY_NOT)
			return why;
		if (!ptl_place_calls(&insn) &&
		    ptl_code_has(&plan->code, at, at + insn.size,
				 PTL_BYTE_CAUGHT))
			return PTL_PLAN_CAUGHT;
		at += insn.size;
	}
	entry->size = (uint8_t)(at - entry->at);
	if (ptl_code_has(&plan->code, entry->at + 1, end, PTL_BYTE_TARGET))
		return PTL_PLAN_TARGET;
	if (at < end)
		return end_early(plan, entry, at);
	entry->how = PTL_PLAN_JUMP;
	return PTL_PLAN_WHY_NOT;
}

static void plan_entry(struct ptl_plan *plan,
		       struct ptl_plan_function *function, size_t number)
{
	struct ptl_plan_place *entry = &function->entry;
	struct ptl_x86 insn;

	*entry = (struct ptl_plan_place){
		.at = function->start,
		.function = (uint32_t)number,
		.kind = PTL_PLAN_ENTRY,
	};
	if (ptl_place_decode(plan, entry->at, function->end, &insn) &&
	    ptl_x86_is_endbr(&insn))
		entry->at += insn.size;
	if (function->has_labels)
		entry->why = PTL_PLAN_LABELS;
	else if (entry->at >= function->end)
		entry->why = PTL_PLAN_TINY;
	else
		entry->why = (uint8_t)look(plan, function, entry);
	if (entry->how == PTL_PLAN_NOT)
		return;
	/* Two entries may be that close to each other only in assembly. */
	ptl_code_mark(&plan->code, entry->at,
		      entry->at + (entry->size > PTL_JUMP_SIZE ? entry->size :
								 PTL_JUMP_SIZE),
		      PTL_BYTE_TAKEN);
}

bool ptl_entry_goes_on(struct ptl_plan *plan,
		       const struct ptl_plan_place *entry)
{
	uint64_t at = entry->at, end = entry->at + entry->size;
	struct ptl_x86 insn = {.kind = PTL_X86_PLAIN};

	for (; at < end; at += insn.size)
		if (!ptl_place_decode(plan, at, end, &insn))
			return false;
	return !ptl_place_calls(&insn) && !ptl_place_ends(&insn);
}

void ptl_entries_plan(struct ptl_plan *plan)
{
	for (size_t i = 0; i < plan->nr; i++) {
		struct ptl_plan_function *function = &plan->function[i];

		if (function->is_part || function->why != PTL_PLAN_WHY_NOT)
			continue;
		if (plan->code.is_a64)
			ptl_a64_entry(plan, function, (uint32_t)i);
		else
			plan_entry(plan, function, i);
	}
}
