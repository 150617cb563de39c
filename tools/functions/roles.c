/* SPDX-License-Identifier: MIT */
/* Functions that count as malloc() and its like; see roles.h. */
#include "tools/functions/roles.h"

#include "tools/lib/say.h"
#include "tools/plan/places.h"
#include "tools/symbolize/demangle.h"

void ptl_roles_give(const struct ptl_select *select,
		    struct ptl_plan_function *function)
{
	if (select->role.kind != PTL_ROLE_NONE)
		function->role = select->role;
}

/* Where a jump that ends the function leads, if that is a function; or NULL. */
static const struct ptl_plan_function *
follower_of(struct ptl_plan *plan, const struct ptl_plan_function *function,
	    const struct ptl_plan_place *exit)
{
	uint64_t end = exit->at + exit->size, at = exit->at;
	struct ptl_x86 insn;
	size_t size;

	for (; at < end; at += insn.size) {
		const unsigned char *code;

		if (!ptl_place_decode(plan, at, function->end, &insn))
			return NULL;
		code = ptl_code_bytes(&plan->code, at, end, &size);
		if (code != NULL && at + insn.size == end &&
		    (insn.kind == PTL_X86_JUMP || insn.kind == PTL_X86_BRANCH))
			return ptl_plan_at(plan,
					   ptl_x86_target(&insn, code, at));
	}
	return NULL;
}

void ptl_roles_tell(struct ptl_plan *plan,
		    const struct ptl_plan_function *function)
{
	const struct ptl_plan_function *follower;
	char buf[32];

	if (function->role.kind == PTL_ROLE_NONE ||
	    function->role.kind == PTL_ROLE_FREE)
		return;
	for (size_t i = 0; i < function->nr_exits; i++) {
		const struct ptl_plan_place *exit =
			&plan->exit[function->first_exit + i];

		if (exit->kind != PTL_PLAN_TAIL)
			continue;
		follower = follower_of(plan, function, exit);
		ptl_say("--allocator: %s may end by a jump to %s, and what it "
			"returns then is not seen%s",
			ptl_demangle(ptl_select_name(function, buf)),
			follower != NULL && follower->name != NULL ?
				ptl_demangle(follower->name) :
				"another function",
			follower != NULL && follower->name != NULL ?
				": name that one, too" :
				"");
		return;
	}
}
