/* SPDX-License-Identifier: MIT */
/* The stack of calls of a thread; see callstack.h. */
#include "tools/model/callstack.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

/* A stack of this depth is tidied up before it grows; and at most this many
 * calls are searched for the one that returns. */
#define TIDY_DEPTH 65536
#define SEARCH_DEPTH 131072

/* Times of one thread are exact but for this, ns. */
#define ROUNDING 3

/* That it is over is told to all who want to know. */
void ptl_callstack_tell(struct ptl_callstacks *all,
			struct ptl_call_stack *stack, struct ptl_call *call,
			uint64_t at, enum ptl_call_end how)
{
	struct ptl_call *outer = ptl_callstack_outer(stack, call);

	for (unsigned int i = 0; i < all->nr_users; i++)
		all->user[i]->leave(all->user[i]->of, stack->thread, call,
				    outer, at, how);
}

/* Not on the list of those with calls any longer, or on it.  A stack that has
 * some is always of the same process. */
static void list(struct ptl_callstacks *all, struct ptl_call_stack *stack)
{
	if (stack->nr == 0 && stack->link != NULL) {
		*stack->link = stack->next;
		if (stack->next != NULL)
			stack->next->link = stack->link;
		stack->link = NULL;
		all->nr--;
	} else if (stack->nr > 0 && stack->link == NULL) {
		stack->link = ptl_callstacks_of(all, stack->pid);
		stack->next = *stack->link;
		if (stack->next != NULL)
			stack->next->link = &stack->next;
		*stack->link = stack;
		all->nr++;
	}
}

/* Number i is among the calls whose end is known. */
void ptl_callstack_link_known(struct ptl_call_stack *stack, size_t i)
{
	size_t *known = &stack->known;

	while (*known > i + 1)
		known = &stack->call[*known - 1].known;
	stack->call[i].known = *known;
	*known = i + 1;
}

static void unlink_known(struct ptl_call_stack *stack, size_t at)
{
	size_t *known = &stack->known;

	while (*known > at + 1) {
		size_t newer = (*known)--;

		known = &stack->call[newer - 1].known;
	}
	if (*known == at + 1)
		*known = stack->call[at].known;
}

static void forget_empty(struct ptl_callstacks *all,
			 struct ptl_call_stack *stack)
{
	if (stack->nr > 0)
		return;
	stack->crosses = stack->is_mixed = false;
	stack->due = PTL_CALL_OPEN;
	list(all, stack);
}

/* What is in it is in what it was in. */
void ptl_callstack_take_out(struct ptl_callstacks *all,
			    struct ptl_call_stack *stack, size_t at)
{
	const struct ptl_call old = stack->call[at];

	unlink_known(stack, at);
	if (stack->newest == at + 1)
		stack->newest = 0;
	stack->newest -= stack->newest > at + 1;
	stack->nr_passed -= old.is_passed;
	stack->nr--;
	memmove(&stack->call[at], &stack->call[at + 1],
		(stack->nr - at) * sizeof(old));
	for (size_t i = at; i < stack->nr; i++) {
		struct ptl_call *call = &stack->call[i];

		if (call->outer == at + 1) {
			call->outer = old.outer;
			call->is_sure = false;
		} else if (call->outer > at + 1) {
			call->outer--;
		}
	}
	forget_empty(all, stack);
}

/* The call is over, by itself or with what it was in, which ends at that time.
 */
static void end_call(struct ptl_callstacks *all, struct ptl_call_stack *stack,
		     size_t i, uint64_t at)
{
	struct ptl_call *call = &stack->call[i];

	if (call->kind < PTL_CALL_FUNCTION && !all->is_finished) {
		ptl_callstack_tell(all, stack, call, at, PTL_CALL_PASSED);
	} else if (!ptl_call_is_known(call)) {
		stack->left[stack->nr_left++ % PTL_CALLS_LEFT] =
			(struct ptl_call_left){call->callee, call->begin};
		ptl_callstack_tell(all, stack, call,
				   call->is_passed ? call->passed : at,
				   PTL_CALL_LEFT);
	} else {
		if (call->kind == PTL_CALL_FUNCTION && i + 1 < stack->newest)
			stack->newest = 0;
		ptl_callstack_tell(all, stack, call, call->end,
				   call->is_tail ? PTL_CALL_TOGETHER :
						   PTL_CALL_PASSED);
	}
	ptl_callstack_take_out(all, stack, i);
}

void ptl_callstack_cut(struct ptl_callstacks *all, struct ptl_call_stack *stack,
		       size_t first, uint64_t at)
{
	while (stack->nr > first)
		end_call(all, stack, stack->nr - 1, at);
}

static bool is_inside(const struct ptl_call_stack *stack, size_t i,
		      size_t other)
{
	size_t outer = stack->call[i].outer;

	while (outer > other + 1)
		outer = stack->call[outer - 1].outer;
	return outer == other + 1;
}

uint64_t ptl_callstack_latest(const struct ptl_call_stack *stack,
			      const struct ptl_call *call)
{
	size_t i = (size_t)(call - stack->call);
	uint64_t latest = 0;

	if (stack->known <= i + 1)
		return 0;
	for (size_t inner = i + 1; inner < stack->nr; inner++)
		if (ptl_call_is_known(&stack->call[inner]) &&
		    stack->call[inner].end > latest &&
		    is_inside(stack, inner, i))
			latest = stack->call[inner].end;
	return latest;
}

static void pass_by(struct ptl_callstacks *all, struct ptl_call_stack *stack,
		    struct ptl_call *call, uint64_t at)
{
	if (ptl_call_is_known(call) || call->is_passed ||
	    call->kind < PTL_CALL_FUNCTION)
		return;
	for (unsigned int i = 0; i < all->nr_users; i++)
		if (all->user[i]->pass != NULL)
			all->user[i]->pass(
				all->user[i]->of, stack->thread, call,
				ptl_callstack_outer(stack, call), at);
	call->is_passed = true;
	call->passed = at;
	stack->nr_passed++;
	stack->is_mixed = true;
}

/* A call ends, and those inside of it whose end is known by then. */
static void end_around(struct ptl_callstacks *all, struct ptl_call_stack *stack,
		       size_t i)
{
	uint64_t at = stack->call[i].end;

	for (size_t inner = stack->nr - 1; inner > i; inner--) {
		struct ptl_call *call = &stack->call[inner];

		if (!is_inside(stack, inner, i))
			continue;
		if (ptl_call_is_known(call) && call->end <= at)
			end_call(all, stack, inner, at);
		else
			pass_by(all, stack, call, at);
	}
	end_call(all, stack, i, at);
}

/* The one that is over first by now, by its number + 1; 0: none is. */
static size_t find_due(struct ptl_call_stack *stack, uint64_t now)
{
	size_t first = 0;

	stack->due = PTL_CALL_OPEN;
	for (size_t i = 0; i < stack->nr; i++) {
		if (stack->call[i].end >= stack->due)
			continue;
		stack->due = stack->call[i].end;
		first = i + 1;
	}
	return stack->due <= now ? first : 0;
}

/* Ends the calls that are over by now, and what is inside of them. */
void ptl_callstack_end_due(struct ptl_callstacks *all,
			   struct ptl_call_stack *stack, uint64_t now)
{
	size_t first;

	while (!stack->crosses && stack->known > 0 &&
	       stack->call[stack->known - 1].end <= now)
		end_around(all, stack, stack->known - 1);
	while (stack->crosses && stack->due <= now &&
	       (first = find_due(stack, now)) > 0)
		end_around(all, stack, first - 1);
}

/* The calls are taken out of which `over' says so, by their places. */
static void sift(struct ptl_callstacks *all, struct ptl_call_stack *stack,
		 const bool *over)
{
	size_t *number = ptl_alloc((stack->nr + 1) * sizeof(*number)), nr = 0;

	for (size_t i = 0; i < stack->nr; i++) {
		struct ptl_call *call = &stack->call[i];

		if (over[i]) {
			number[i + 1] = number[call->outer];
			continue;
		}
		if (call->outer > 0 && over[call->outer - 1])
			call->is_sure = false;
		call->outer = number[call->outer];
		stack->call[nr] = *call;
		number[i + 1] = ++nr;
	}
	free(number);
	stack->nr = nr;
	stack->known = stack->nr_passed = stack->newest = 0;
	for (size_t i = 0; i < nr; i++) {
		stack->nr_passed += stack->call[i].is_passed;
		if (ptl_call_is_known(&stack->call[i]))
			ptl_callstack_link_known(stack, i);
	}
	forget_empty(all, stack);
}

/* When each can be over at the earliest: what is in it is known to end then. */
static uint64_t *find_earliest(const struct ptl_callstacks *all,
			       const struct ptl_call_stack *stack)
{
	uint64_t *earliest = ptl_alloc((stack->nr + 1) * sizeof(*earliest));

	for (size_t i = stack->nr; i > 0; i--) {
		const struct ptl_call *call = &stack->call[i - 1];
		uint64_t *of_outer = &earliest[call->outer];

		if (ptl_call_is_known(call))
			earliest[i] = call->end;
		else if (earliest[i] < all->now)
			earliest[i] = all->now;
		if (*of_outer < earliest[i])
			*of_outer = earliest[i];
	}
	return earliest;
}

/* Calls are over of which no end will be seen, or is to be believed. */
static void leave_marked(struct ptl_callstacks *all,
			 struct ptl_call_stack *stack, const bool *over)
{
	uint64_t *earliest = find_earliest(all, stack);

	for (size_t i = stack->nr; i > 0; i--) {
		struct ptl_call *call = &stack->call[i - 1];

		if (over[i - 1])
			ptl_callstack_tell(all, stack, call,
					   call->is_passed ? call->passed :
							     earliest[i],
					   PTL_CALL_LEFT);
	}
	free(earliest);
	sift(all, stack, over);
}

void ptl_callstack_end_open(struct ptl_callstacks *all,
			    struct ptl_call_stack *stack)
{
	bool *over = ptl_alloc((stack->nr + 1) * sizeof(*over));

	for (size_t i = 0; i < stack->nr; i++)
		over[i] = stack->call[i].kind == PTL_CALL_FUNCTION &&
			  !ptl_call_is_known(&stack->call[i]);
	leave_marked(all, stack, over);
	free(over);
}

/*
 * Calls that are left by a jump are only over when what they were in is: a
 * program may leave any number.  Of a function that had no exit event so far
 * only the outermost call is kept.
 */
static void tidy_up(struct ptl_callstacks *all, struct ptl_call_stack *stack)
{
	bool *over = ptl_alloc((stack->nr + 1) * sizeof(*over));
	static struct ptl_functions seen;

	memset(&seen, 0, sizeof(seen));
	for (size_t i = 0; i < stack->nr; i++) {
		const struct ptl_call *call = &stack->call[i];

		over[i] = call->kind == PTL_CALL_FUNCTION &&
			  !ptl_call_is_known(call) &&
			  !ptl_functions_have(&all->returning, call->callee) &&
			  ptl_functions_have(&seen, call->callee);
		if (!over[i])
			ptl_functions_add(&seen, call->callee);
	}
	leave_marked(all, stack, over);
	free(over);
}

/* The oldest of those that wait for an end: they were left. */
static void limit_passed(struct ptl_callstacks *all,
			 struct ptl_call_stack *stack)
{
	size_t most = stack->has_fibers ? PTL_CALLS_PASSED : PTL_CALLS_JUMPED;

	for (size_t i = 0; stack->nr_passed > most;) {
		if (stack->call[i].is_passed)
			end_call(all, stack, i, stack->call[i].passed);
		else
			i++;
	}
}

static void make_room(struct ptl_callstacks *all, struct ptl_call_stack *stack)
{
	limit_passed(all, stack);
	if (stack->nr < stack->room)
		return;
	if (stack->nr >= TIDY_DEPTH)
		tidy_up(all, stack);
	/* No need to if that has made room for many. */
	if (2 * stack->nr >= stack->room)
		stack->call = ptl_grow(stack->call, stack->nr, &stack->room,
				       sizeof(*stack->call));
}

size_t ptl_callstack_innermost(const struct ptl_call_stack *stack)
{
	size_t i = stack->nr;

	while (i > 0 && stack->call[i - 1].is_passed)
		i--;
	return i;
}

/* What of these is known to end before: not in that, then. */
static size_t find_shorter(const struct ptl_call_stack *stack, size_t outer,
			   const struct ptl_call *call)
{
	if (stack->known == 0 || !ptl_call_is_known(call))
		return 0;
	while (outer > 0 && !ptl_call_is_known(&stack->call[outer - 1]))
		outer = stack->call[outer - 1].outer;
	return outer > 0 && call->end > stack->call[outer - 1].end &&
			       call->end - stack->call[outer - 1].end >
				       ROUNDING ?
		       outer :
		       0;
}

struct ptl_call *ptl_callstack_push(struct ptl_callstacks *all,
				    struct ptl_call_stack *stack,
				    const struct ptl_call *new)
{
	struct ptl_call *call;
	size_t outer, shorter;

	make_room(all, stack);
	call = &stack->call[stack->nr];
	*call = *new;
	call->begin = all->now;
	stack->functions += call->kind == PTL_CALL_FUNCTION;
	call->number = stack->functions;
	outer = ptl_callstack_innermost(stack);
	while ((shorter = find_shorter(stack, outer, call)) > 0) {
		stack->crosses = stack->has_fibers = stack->is_mixed = true;
		stack->due = 0;
		outer = stack->call[shorter - 1].outer;
		call->is_aside = true;
	}
	call->outer = outer;
	call->is_aside |= outer > 0 && stack->call[outer - 1].is_aside;
	stack->nr++;
	if (ptl_call_is_known(call)) {
		ptl_callstack_link_known(stack, stack->nr - 1);
		if (stack->due > call->end)
			stack->due = call->end;
	}
	list(all, stack);
	return call;
}

static bool is_call_of(const struct ptl_call *call, uint64_t callee)
{
	return call->kind == PTL_CALL_FUNCTION && call->callee == callee &&
	       (!ptl_call_is_known(call) || call->is_tail);
}

/* The oldest call of the function that may be on another stack, best one from
 * the same place. */
static size_t find_passed(const struct ptl_call_stack *stack, uint64_t callee,
			  uint64_t site)
{
	size_t found = 0;

	for (size_t i = stack->nr; i > 0; i--) {
		const struct ptl_call *call = &stack->call[i - 1];

		if (call->is_passed && is_call_of(call, callee) &&
		    (found == 0 || call->site == site ||
		     stack->call[found - 1].site != site))
			found = i;
	}
	return found;
}

/* Of those that can be what ends on another stack than the last: none that has
 * just begun, nor one that is in a call of its own. */
struct late {
	const struct ptl_call_stack *stack;
	uint64_t callee, site;
	bool *is_inner; /* of each: it has called one that goes on */
};

static bool may_end(const struct late *late, size_t i, bool is_strict)
{
	const struct ptl_call *call = &late->stack->call[i];

	return call->kind == PTL_CALL_FUNCTION && !ptl_call_is_known(call) &&
	       call->callee == late->callee && i + 1 != late->stack->newest &&
	       (!is_strict || (call->site == late->site && !late->is_inner[i]));
}

/* On the stack that the thread is known to be on, the innermost; unless that
 * has been left for another one since. */
static size_t find_here(const struct late *late)
{
	const struct ptl_call_stack *stack = late->stack;
	size_t i = ptl_callstack_innermost(stack);

	for (; i > 0; i = stack->call[i - 1].outer) {
		const struct ptl_call *call = &stack->call[i - 1];

		if (ptl_call_is_known(call))
			continue;
		if (call->begin >= stack->resumed)
			return 0;
		if (may_end(late, i - 1, true))
			return i;
	}
	return 0;
}

/* Stacks take turns: of those that wait, the oldest. */
static size_t find_late(const struct ptl_call_stack *stack, uint64_t callee,
			uint64_t site)
{
	struct late late = {stack, callee, site,
			    ptl_alloc((stack->nr + 1) * sizeof(bool))};
	size_t found;

	for (size_t i = 0; i < stack->nr; i++)
		if (stack->call[i].is_sure &&
		    !ptl_call_is_known(&stack->call[i]))
			late.is_inner[stack->call[i].outer - 1] = true;
	found = find_here(&late);
	for (size_t i = 0; i < stack->nr && found == 0; i++)
		if (may_end(&late, i, true))
			found = i + 1;
	for (size_t i = 0; i < stack->nr && found == 0; i++)
		if (may_end(&late, i, false))
			found = i + 1;
	free(late.is_inner);
	return found;
}

/* The innermost call of the function whose end is not known, by its number + 1;
 * 0: there is none. */
size_t ptl_callstack_find(const struct ptl_call_stack *stack, uint64_t callee,
			  uint64_t site, bool is_late)
{
	size_t last = 0, passed = 0;

	if (is_late && stack->is_timed && stack->nr < PTL_CALLS_TIMED &&
	    (passed = find_late(stack, callee, site)) > 0)
		return passed;
	if (stack->nr > SEARCH_DEPTH)
		last = stack->nr - SEARCH_DEPTH;
	if (stack->nr_passed > 0)
		passed = find_passed(stack, callee, site);
	for (size_t i = stack->nr; i > last; i--) {
		const struct ptl_call *call = &stack->call[i - 1];

		if (!call->is_passed && is_call_of(call, callee) &&
		    (passed == 0 || call->site == site ||
		     stack->call[passed - 1].site != site))
			return i;
	}
	return passed;
}

/* A call that was taken for left has ended, and was on another stack. */
int64_t ptl_callstack_find_left(struct ptl_callstacks *all,
				struct ptl_call_stack *stack, uint64_t callee)
{
	size_t first = 0;

	if (stack->nr_left > PTL_CALLS_LEFT)
		first = stack->nr_left - PTL_CALLS_LEFT;
	for (size_t i = stack->nr_left; i > first; i--) {
		struct ptl_call_left *left =
			&stack->left[(i - 1) % PTL_CALLS_LEFT];

		if (left->callee != callee)
			continue;
		stack->has_fibers = true;
		left->callee = 0;
		return (int64_t)(all->now - left->begin);
	}
	return -1;
}

void ptl_callstack_pass(struct ptl_callstacks *all,
			struct ptl_call_stack *stack, size_t i)
{
	for (size_t inner = stack->nr - 1; inner > i; inner--)
		pass_by(all, stack, &stack->call[inner], all->now);
}

void ptl_callstack_resume(struct ptl_callstacks *all,
			  struct ptl_call_stack *stack, size_t i)
{
	size_t outer = i + 1;

	stack->has_fibers = stack->is_mixed = true;
	stack->resumed = all->now;
	for (size_t other = stack->nr; other > 0; other--) {
		struct ptl_call *call = &stack->call[other - 1];

		if (other != outer) {
			pass_by(all, stack, call, all->now);
			continue;
		}
		outer = call->outer;
		stack->nr_passed -= call->is_passed;
		call->is_passed = false;
	}
}
