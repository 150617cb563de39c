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
	uint64_t from = call->own_from, covered;

	if (outer != NULL && outer->covered > from + ROUNDING)
		from = outer->covered;
	call->own = how != PTL_CALL_LEFT && at > from ? at - from : 0;
	covered = how != PTL_CALL_LEFT ? at : call->covered;
	if (outer != NULL && outer->covered < covered)
		outer->covered = covered;
	for (unsigned int i = 0; i < all->nr_users; i++)
		all->user[i]->leave(all->user[i]->of, stack->thread, call,
				    outer, at, how);
}

/* Not on the list of those with calls any longer, or on it. */
static void list(struct ptl_callstacks *all, struct ptl_call_stack *stack)
{
	if (stack->nr == 0 && stack->link != NULL) {
		*stack->link = stack->next;
		if (stack->next != NULL)
			stack->next->link = stack->link;
		stack->link = NULL;
	} else if (stack->nr > 0 && stack->link == NULL) {
		stack->link = &all->first;
		stack->next = all->first;
		if (stack->next != NULL)
			stack->next->link = &stack->next;
		all->first = stack;
	}
}

/* That one is among those whose end is known. */
void ptl_callstack_link_known(struct ptl_call_stack *stack, size_t i)
{
	size_t *known = &stack->known;

	while (*known > i + 1)
		known = &stack->call[*known - 1].known;
	stack->call[i].known = *known;
	*known = i + 1;
}

/* What is in it is in what it was in; of calls of one stack it is the last. */
void ptl_callstack_take_out(struct ptl_callstacks *all,
			    struct ptl_call_stack *stack, size_t at)
{
	const struct ptl_call old = stack->call[at];

	if (stack->known == at + 1)
		stack->known = old.known;
	stack->nr_passed -= old.is_passed;
	stack->nr--;
	memmove(&stack->call[at], &stack->call[at + 1],
		(stack->nr - at) * sizeof(old));
	for (size_t i = at; i < stack->nr; i++) {
		struct ptl_call *call = &stack->call[i];

		if (call->outer == at + 1)
			call->outer = old.outer;
		else if (call->outer > at + 1)
			call->outer--;
	}
	if (stack->nr > 0)
		return;
	stack->known = 0;
	stack->crosses = false;
	list(all, stack);
}

/* It is over, by itself or with what it was in, which ends at that time. */
static void end_call(struct ptl_callstacks *all, struct ptl_call_stack *stack,
		     size_t i, uint64_t at)
{
	struct ptl_call *call = &stack->call[i];

	if (call->kind < PTL_CALL_FUNCTION && !all->is_finished) {
		ptl_callstack_tell(all, stack, call, at, PTL_CALL_PASSED);
	} else if (!ptl_call_is_known(call)) {
		stack->left[stack->nr_left++ % PTL_CALLS_LEFT] =
			(struct ptl_call_left){call->callee, call->begin};
		ptl_callstack_tell(all, stack, call, at, PTL_CALL_LEFT);
	} else {
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

static void pass_by(struct ptl_call_stack *stack, struct ptl_call *call)
{
	if (ptl_call_is_known(call) || call->is_passed)
		return;
	call->is_passed = true;
	stack->nr_passed++;
}

/* What it is in is over then: it was left, or is on another stack. */
static bool goes_on(const struct ptl_call_stack *stack,
		    const struct ptl_call *call, uint64_t at)
{
	return ptl_call_is_known(call) ?
		       call->end > at :
		       call->is_passed ||
			       (stack->has_fibers &&
				stack->nr_passed < PTL_CALLS_PASSED &&
				call->kind == PTL_CALL_FUNCTION);
}

/* A call ends, and what is inside of it. */
static void end_around(struct ptl_callstacks *all, struct ptl_call_stack *stack,
		       size_t i)
{
	uint64_t at = stack->call[i].end;

	for (size_t inner = stack->nr - 1; inner > i; inner--) {
		struct ptl_call *call = &stack->call[inner];

		if (!is_inside(stack, inner, i))
			continue;
		if (goes_on(stack, call, at))
			pass_by(stack, call);
		else
			end_call(all, stack, inner, at);
	}
	end_call(all, stack, i, at);
}

static void end_first(struct ptl_callstacks *all, struct ptl_call_stack *stack,
		      uint64_t now)
{
	for (;;) {
		size_t first = 0;

		for (size_t i = 1; i < stack->nr; i++)
			if (stack->call[i].end < stack->call[first].end)
				first = i;
		if (stack->nr == 0 || stack->call[first].end > now)
			return;
		end_around(all, stack, first);
	}
}

/* Those that are over by now, and what is inside of them. */
void ptl_callstack_end_due(struct ptl_callstacks *all,
			   struct ptl_call_stack *stack, uint64_t now)
{
	stack->crosses |= stack->has_fibers && stack->nr > 0;
	while (!stack->crosses && stack->known > 0 &&
	       stack->call[stack->known - 1].end <= now)
		ptl_callstack_cut(all, stack, stack->known - 1,
				  stack->call[stack->known - 1].end);
	if (stack->crosses)
		end_first(all, stack, now);
}

/*
 * Calls that are left by a jump are only over when what they were in is: a
 * program may leave any number.  Of a function that had no exit event so far
 * only the outermost call is kept.
 */
static void tidy_up(struct ptl_callstacks *all, struct ptl_call_stack *stack)
{
	size_t *number = ptl_alloc((stack->nr + 1) * sizeof(*number)), nr = 0;
	static struct ptl_functions seen;

	memset(&seen, 0, sizeof(seen));
	for (size_t i = 0; i < stack->nr; i++) {
		struct ptl_call *call = &stack->call[i];

		number[i + 1] = number[call->outer];
		if (call->kind == PTL_CALL_FUNCTION &&
		    !ptl_call_is_known(call) &&
		    !ptl_functions_have(&all->returning, call->callee) &&
		    ptl_functions_have(&seen, call->callee)) {
			ptl_callstack_tell(all, stack, call, all->now,
					   PTL_CALL_LEFT);
			continue;
		}
		ptl_functions_add(&seen, call->callee);
		call->outer = number[call->outer];
		stack->call[nr] = *call;
		number[i + 1] = ++nr;
	}
	free(number);
	stack->nr = nr;
	stack->known = stack->nr_passed = 0;
	for (size_t i = 0; i < nr; i++) {
		stack->nr_passed += stack->call[i].is_passed;
		if (ptl_call_is_known(&stack->call[i]))
			ptl_callstack_link_known(stack, i);
	}
}

static void make_room(struct ptl_callstacks *all, struct ptl_call_stack *stack)
{
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

struct ptl_call *ptl_callstack_push(struct ptl_callstacks *all,
				    struct ptl_call_stack *stack,
				    const struct ptl_call *new)
{
	struct ptl_call *call;
	size_t outer;

	make_room(all, stack);
	call = &stack->call[stack->nr];
	*call = *new;
	call->begin = call->own_from = all->now;
	outer = ptl_callstack_innermost(stack);
	while (outer > 0 && ptl_call_is_known(call) &&
	       call->end > stack->call[outer - 1].end &&
	       call->end - stack->call[outer - 1].end > ROUNDING) {
		if (call->own_from < stack->call[outer - 1].end)
			call->own_from = stack->call[outer - 1].end;
		stack->crosses = stack->has_fibers = true;
		outer = stack->call[outer - 1].outer;
	}
	call->covered = call->own_from;
	call->outer = outer;
	stack->nr++;
	if (ptl_call_is_known(call))
		ptl_callstack_link_known(stack, stack->nr - 1);
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

/* The innermost call of the function whose end is not known, by its number + 1;
 * 0: there is none. */
size_t ptl_callstack_find(const struct ptl_call_stack *stack, uint64_t callee,
			  uint64_t site)
{
	size_t last = 0, passed = 0;

	if (stack->nr > SEARCH_DEPTH)
		last = stack->nr - SEARCH_DEPTH;
	if (stack->has_fibers)
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

/* A call ends, and newer ones that have not: they were left, or are on another
 * stack. */
void ptl_callstack_pass(struct ptl_callstacks *all,
			struct ptl_call_stack *stack, size_t i)
{
	for (size_t inner = stack->nr - 1; inner > i; inner--) {
		struct ptl_call *call = &stack->call[inner];

		if (!goes_on(stack, call, all->now + ROUNDING)) {
			end_call(all, stack, inner, all->now);
			continue;
		}
		pass_by(stack, call);
		stack->crosses = stack->has_fibers = true;
	}
}
