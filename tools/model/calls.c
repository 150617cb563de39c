/* SPDX-License-Identifier: MIT */
/*
 * What each thread is in; see calls.h.  Of each thread there is a stack, the
 * newest last.  Mostly each call is in the one before; but
 *
 * - one that ends later than the one before is on another stack of the same
 *   thread (fibers, coroutines), and is in what both are in;
 * - one that begins where the one before was called, by another function, is
 * its last act: it was jumped to, and nothing else tells of its end;
 * - one whose end is not seen was left by a jump or an exception, or its end
 * was lost: it is over when what it is in is.
 */
#include "tools/model/calls.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/model/modules.h"

/* A stack of this depth is tidied up before it grows; and at most this many
 * calls are searched for the one that returns. */
#define TIDY_DEPTH 65536
#define SEARCH_DEPTH 131072

/* Times of one thread are exact but for this, ns. */
#define ROUNDING 3

/* Calls that were taken for left, and may be on another stack. */
#define LEFT_KEPT 64

/* From how far a jump may come. */
#define JUMP_DEPTH 256

/* Functions that were looked up lately. */
#define STARTS 1024

struct left {
	uint64_t callee, begin;
};

struct ptl_call_stack {
	struct ptl_call_stack *next, **link; /* of those that are not empty */
	struct ptl_thread *thread;
	struct ptl_call *call;
	size_t nr, room;
	size_t known; /* the innermost whose end is known: as ptl_call.known */
	bool crosses; /* calls of several stacks are in it: known is not kept */
	bool has_fibers; /* an end came of a call that was taken for left */
	uint64_t losses;
	pid_t pid;
	unsigned int image;
	pthread_t self;
	struct left left[LEFT_KEPT]; /* a ring */
	size_t nr_left;
};

/* A set of functions, by hash: a wrong member does no harm. */
struct set {
	unsigned char bit[4096];
};

/* Where the function begins that has a call. */
struct start {
	uint64_t maps, site, start;
};

/* Of each log. */
struct log {
	/* The call whose begin was its last event, if the next one tells when
	 * it ends. */
	struct ptl_call_stack *awaited;
	size_t awaited_at;
	uint64_t losses; /* so often were events lost */
};

struct ptl_calls {
	struct ptl_threads *threads;
	const struct ptl_merge *merge;
	struct log *log;
	struct ptl_call_stack *stacks;
	struct ptl_calls_user *user[PTL_CALL_USERS];
	unsigned int nr_users;
	bool wants_lives, wants_libc;
	struct set returning; /* functions that had an exit event */
	bool any_returns;
	struct ptl_call over;	    /* the one that the event ended */
	struct start start[STARTS]; /* by the place of the call */
	uint64_t now;		    /* of the last event */
	bool is_finished;
};

static bool is_member(const struct set *set, uint64_t callee)
{
	uint64_t hash = callee * UINT64_C(0x9e3779b97f4a7c15) >> 49;

	return set->bit[hash / 8] & 1 << hash % 8;
}

static void add_member(struct set *set, uint64_t callee)
{
	uint64_t hash = callee * UINT64_C(0x9e3779b97f4a7c15) >> 49;

	set->bit[hash / 8] |= (unsigned char)(1 << hash % 8);
}

static struct log *log_of(const struct ptl_calls *calls,
			  const struct ptl_view *view)
{
	return &calls->log[view->source - calls->merge->source];
}

struct ptl_calls *ptl_calls_new(struct ptl_threads *threads,
				const struct ptl_merge *merge)
{
	struct ptl_calls *calls = ptl_alloc(sizeof(*calls));

	calls->threads = threads;
	calls->merge = merge;
	calls->log = ptl_alloc(merge->nr_sources * sizeof(*calls->log));
	return calls;
}

void ptl_calls_free(struct ptl_calls *calls)
{
	struct ptl_thread *thread = NULL;

	while ((thread = ptl_threads_next(calls->threads, thread)) != NULL) {
		if (thread->calls != NULL)
			free(thread->calls->call);
		free(thread->calls);
	}
	free(calls->log);
	free(calls);
}

void ptl_calls_add_user(struct ptl_calls *calls, struct ptl_calls_user *user)
{
	user->number = calls->nr_users;
	calls->user[calls->nr_users++] = user;
	calls->wants_lives |= user->wants_lives;
	calls->wants_libc |= user->wants_libc;
}

static uint64_t site_of(const struct ptl_view *view)
{
	return (uintptr_t)view->event->posix_prog_address;
}

/* In ns, without a sign: a damaged log may be of any year. */
static uint64_t time_of(const struct posix_trace_event_info *event)
{
	const struct timespec *time = &event->posix_timestamp;

	return (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec;
}

static uint64_t end_after(uint64_t begin, int64_t took)
{
	uint64_t end = begin + (uint64_t)took;

	return end < begin || end == PTL_CALL_OPEN ? begin : end;
}

static bool is_known(const struct ptl_call *call)
{
	return call->end != PTL_CALL_OPEN;
}

static struct ptl_call *outer_of(const struct ptl_call_stack *stack,
				 const struct ptl_call *call)
{
	return call->outer > 0 ? &stack->call[call->outer - 1] : NULL;
}

/* That it is over is told to all who want to know. */
static void tell(struct ptl_calls *calls, struct ptl_call_stack *stack,
		 struct ptl_call *call, uint64_t at, enum ptl_call_end how)
{
	struct ptl_call *outer = outer_of(stack, call);
	uint64_t from = call->own_from, covered;

	if (outer != NULL && outer->covered > from + ROUNDING)
		from = outer->covered;
	call->own = how != PTL_CALL_LEFT && at > from ? at - from : 0;
	covered = how != PTL_CALL_LEFT ? at : call->covered;
	if (outer != NULL && outer->covered < covered)
		outer->covered = covered;
	for (unsigned int i = 0; i < calls->nr_users; i++)
		calls->user[i]->leave(calls->user[i]->of, stack->thread, call,
				      outer, at, how);
}

/* Not on the list of those with calls any longer, or on it. */
static void list(struct ptl_calls *calls, struct ptl_call_stack *stack)
{
	if (stack->nr == 0 && stack->link != NULL) {
		*stack->link = stack->next;
		if (stack->next != NULL)
			stack->next->link = stack->link;
		stack->link = NULL;
	} else if (stack->nr > 0 && stack->link == NULL) {
		stack->link = &calls->stacks;
		stack->next = calls->stacks;
		if (stack->next != NULL)
			stack->next->link = &stack->next;
		calls->stacks = stack;
	}
}

/* That one is among those whose end is known. */
static void link_known(struct ptl_call_stack *stack, size_t i)
{
	size_t *known = &stack->known;

	while (*known > i + 1)
		known = &stack->call[*known - 1].known;
	stack->call[i].known = *known;
	*known = i + 1;
}

/* What is in it is in what it was in; of calls of one stack it is the last. */
static void take_out(struct ptl_calls *calls, struct ptl_call_stack *stack,
		     size_t at)
{
	const struct ptl_call old = stack->call[at];

	if (stack->known == at + 1)
		stack->known = old.known;
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
	list(calls, stack);
}

/* It is over, by itself or with what it was in, which ends at that time. */
static void end_call(struct ptl_calls *calls, struct ptl_call_stack *stack,
		     size_t i, uint64_t at)
{
	struct ptl_call *call = &stack->call[i];

	if (call->kind < PTL_CALL_FUNCTION && !calls->is_finished) {
		tell(calls, stack, call, at, PTL_CALL_PASSED);
	} else if (!is_known(call)) {
		stack->left[stack->nr_left++ % LEFT_KEPT] =
			(struct left){call->callee, call->begin};
		tell(calls, stack, call, at, PTL_CALL_LEFT);
	} else {
		tell(calls, stack, call, call->end,
		     call->is_tail ? PTL_CALL_TOGETHER : PTL_CALL_PASSED);
	}
	take_out(calls, stack, i);
}

/* The calls from number `first' on are over. */
static void cut(struct ptl_calls *calls, struct ptl_call_stack *stack,
		size_t first, uint64_t at)
{
	while (stack->nr > first)
		end_call(calls, stack, stack->nr - 1, at);
}

static bool is_inside(const struct ptl_call_stack *stack, size_t i,
		      size_t other)
{
	size_t outer = stack->call[i].outer;

	while (outer > other + 1)
		outer = stack->call[outer - 1].outer;
	return outer == other + 1;
}

/* What it is in is over then: it was left, or is on another stack. */
static bool goes_on(const struct ptl_call_stack *stack,
		    const struct ptl_call *call, uint64_t at)
{
	return is_known(call) ?
		       call->end > at :
		       stack->has_fibers && call->kind == PTL_CALL_FUNCTION;
}

/* A call ends, and what is inside of it. */
static void end_around(struct ptl_calls *calls, struct ptl_call_stack *stack,
		       size_t i)
{
	uint64_t at = stack->call[i].end;

	for (size_t inner = stack->nr - 1; inner > i; inner--) {
		struct ptl_call *call = &stack->call[inner];

		if (!is_inside(stack, inner, i))
			continue;
		if (goes_on(stack, call, at))
			call->is_passed |= !is_known(call);
		else
			end_call(calls, stack, inner, at);
	}
	end_call(calls, stack, i, at);
}

static void end_first(struct ptl_calls *calls, struct ptl_call_stack *stack,
		      uint64_t now)
{
	for (;;) {
		size_t first = 0;

		for (size_t i = 1; i < stack->nr; i++)
			if (stack->call[i].end < stack->call[first].end)
				first = i;
		if (stack->nr == 0 || stack->call[first].end > now)
			return;
		end_around(calls, stack, first);
	}
}

/* Those that are over by now, and what is inside of them. */
static void end_due(struct ptl_calls *calls, struct ptl_call_stack *stack,
		    uint64_t now)
{
	stack->crosses |= stack->has_fibers && stack->nr > 0;
	while (!stack->crosses && stack->known > 0 &&
	       stack->call[stack->known - 1].end <= now)
		cut(calls, stack, stack->known - 1,
		    stack->call[stack->known - 1].end);
	if (stack->crosses)
		end_first(calls, stack, now);
}

/* The end of a call may be lost: one that comes is perhaps another's. */
static void end_doubtful(struct ptl_calls *calls, struct ptl_call_stack *stack,
			 uint64_t losses, uint64_t now)
{
	size_t first = 0;

	if (stack->losses == losses)
		return;
	stack->losses = losses;
	while (first < stack->nr &&
	       (is_known(&stack->call[first]) ||
		stack->call[first].kind < PTL_CALL_FUNCTION))
		first++;
	cut(calls, stack, first, now);
	stack->nr_left = 0;
}

/* All is over that was, on each of its stacks. */
static void end_all(struct ptl_calls *calls, struct ptl_call_stack *stack,
		    size_t first)
{
	cut(calls, stack, first, calls->now);
	stack->has_fibers = false;
	stack->nr_left = 0;
}

/* The stack of a thread; of an older one of the same number all is over. */
static struct ptl_call_stack *get_stack(struct ptl_calls *calls,
					struct ptl_thread *thread,
					const struct ptl_view *view)
{
	const struct posix_trace_event_info *event = view->event;
	struct ptl_call_stack *stack = thread->calls;

	if (stack == NULL) {
		stack = thread->calls = ptl_alloc(sizeof(*stack));
		stack->thread = thread;
		stack->losses = log_of(calls, view)->losses;
	}
	/* Others may tell of its end, who do not know more. */
	if (view->type->kind->act == PTL_ACT_EXIT &&
	    stack->pid == event->posix_pid)
		return stack;
	if (stack->pid != event->posix_pid ||
	    stack->image != event->posix_image_np ||
	    stack->self != event->posix_thread_id)
		end_all(calls, stack, 0);
	stack->pid = event->posix_pid;
	stack->image = event->posix_image_np;
	stack->self = event->posix_thread_id;
	return stack;
}

/*
 * Calls that are left by a jump are only over when what they were in is: a
 * program may leave any number.  Of a function that had no exit event so far
 * only the outermost call is kept.
 */
static void tidy_up(struct ptl_calls *calls, struct ptl_call_stack *stack)
{
	size_t *number = ptl_alloc((stack->nr + 1) * sizeof(*number)), nr = 0;
	static struct set seen;

	memset(&seen, 0, sizeof(seen));
	for (size_t i = 0; i < stack->nr; i++) {
		struct ptl_call *call = &stack->call[i];

		number[i + 1] = number[call->outer];
		if (call->kind == PTL_CALL_FUNCTION && !is_known(call) &&
		    !is_member(&calls->returning, call->callee) &&
		    is_member(&seen, call->callee)) {
			tell(calls, stack, call, calls->now, PTL_CALL_LEFT);
			continue;
		}
		add_member(&seen, call->callee);
		call->outer = number[call->outer];
		stack->call[nr] = *call;
		number[i + 1] = ++nr;
	}
	free(number);
	stack->nr = nr;
	stack->known = 0;
	for (size_t i = 0; i < nr; i++)
		if (is_known(&stack->call[i]))
			link_known(stack, i);
}

static void make_room(struct ptl_calls *calls, struct ptl_call_stack *stack)
{
	if (stack->nr < stack->room)
		return;
	if (stack->nr >= TIDY_DEPTH)
		tidy_up(calls, stack);
	/* No need to if that has made room for many. */
	if (2 * stack->nr >= stack->room)
		stack->call = ptl_grow(stack->call, stack->nr, &stack->room,
				       sizeof(*stack->call));
}

/* The call that the thread is in, by its number + 1; 0: none. */
static size_t innermost(const struct ptl_call_stack *stack)
{
	size_t i = stack->nr;

	while (i > 0 && stack->call[i - 1].is_passed)
		i--;
	return i;
}

static struct ptl_call *push(struct ptl_calls *calls,
			     struct ptl_call_stack *stack,
			     const struct ptl_call *new)
{
	struct ptl_call *call;
	size_t outer;

	make_room(calls, stack);
	call = &stack->call[stack->nr];
	*call = *new;
	call->begin = call->own_from = calls->now;
	outer = innermost(stack);
	while (outer > 0 && is_known(call) &&
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
	if (is_known(call))
		link_known(stack, stack->nr - 1);
	list(calls, stack);
	return call;
}

static bool is_call_of(const struct ptl_call *call, uint64_t callee)
{
	return call->kind == PTL_CALL_FUNCTION && call->callee == callee &&
	       (!is_known(call) || call->is_tail);
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
static size_t find(const struct ptl_call_stack *stack, uint64_t callee,
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

static void found(struct ptl_moment *moment, struct ptl_call_stack *stack,
		  struct ptl_call *call)
{
	moment->thread = stack->thread;
	moment->call = call;
	moment->outer = outer_of(stack, call);
}

/* A call that was taken for left has ended, and was on another stack. */
static int64_t find_left(struct ptl_calls *calls, struct ptl_call_stack *stack,
			 uint64_t callee)
{
	size_t first = 0;

	if (stack->nr_left > LEFT_KEPT)
		first = stack->nr_left - LEFT_KEPT;
	for (size_t i = stack->nr_left; i > first; i--) {
		struct left *left = &stack->left[(i - 1) % LEFT_KEPT];

		if (left->callee != callee)
			continue;
		stack->has_fibers = true;
		left->callee = 0;
		return (int64_t)(calls->now - left->begin);
	}
	return -1;
}

/* A call ends, and newer ones that have not: they were left, or are on another
 * stack. */
static void pass(struct ptl_calls *calls, struct ptl_call_stack *stack,
		 size_t i)
{
	for (size_t inner = stack->nr - 1; inner > i; inner--) {
		struct ptl_call *call = &stack->call[inner];

		if (!goes_on(stack, call, calls->now + ROUNDING)) {
			end_call(calls, stack, inner, calls->now);
			continue;
		}
		call->is_passed = !is_known(call);
		stack->crosses = stack->has_fibers = true;
	}
}

static void end_now(struct ptl_calls *calls, struct ptl_call_stack *stack,
		    uint64_t callee, struct ptl_moment *moment)
{
	size_t i = find(stack, callee, site_of(moment->view));

	if (i == 0) {
		moment->took = find_left(calls, stack, callee);
		return;
	}
	pass(calls, stack, --i);
	found(moment, stack, &stack->call[i]);
	moment->ends = true;
	moment->took = (int64_t)(calls->now - moment->call->begin);
	moment->call->end = calls->now;
	tell(calls, stack, moment->call, calls->now, PTL_CALL_RETURNED);
	calls->over = *moment->call;
	moment->call = &calls->over;
	take_out(calls, stack, i);
}

/* What tells of its end is later than its begin by as much as clocks are exact.
 */
static void begin_at(struct ptl_call *call, uint64_t begin)
{
	call->begin = begin;
	if (call->own_from < begin)
		call->own_from = begin;
	if (call->covered < begin)
		call->covered = begin;
}

/* The call has just begun; this says when it will end.  What came since then,
 * if anything, is inside of it. */
static void tell_end(struct ptl_calls *calls, struct ptl_call_stack *stack,
		     uint64_t callee, int64_t took, struct ptl_moment *moment)
{
	struct log *log = log_of(calls, moment->view);
	uint64_t end = end_after(calls->now, took);
	size_t i = 0;

	moment->is_told = true;
	moment->took = took;
	if (log->awaited != NULL) {
		stack = log->awaited;
		i = log->awaited_at + 1;
		log->awaited = NULL;
	} else {
		i = find(stack, callee, site_of(moment->view));
	}
	if (i == 0) {
		moment->begins = true;
		found(moment, stack,
		      push(calls, stack,
			   &(struct ptl_call){.kind = PTL_CALL_FUNCTION,
					      .callee = callee,
					      .site = site_of(moment->view),
					      .end = end}));
		return;
	}
	found(moment, stack, &stack->call[i - 1]);
	begin_at(moment->call, calls->now);
	if (is_known(moment->call) && !moment->call->is_tail)
		return;
	moment->call->is_tail = false;
	moment->call->end = end;
	if (moment->outer != NULL && moment->outer->end < end)
		stack->crosses = true;
	if (stack->known != i)
		link_known(stack, i - 1);
}

/* When it ends, if that is the log's next event; the times of the two are the
 * same. */
static uint64_t ask_end(const struct ptl_view *view, uint64_t callee)
{
	const struct ptl_next *next = ptl_source_peek(view->source);
	const struct ptl_type *type;
	uint64_t other;

	if (next == NULL || next->duration < 0 ||
	    next->event.posix_pid != view->event->posix_pid ||
	    next->event.posix_pidns_np != view->event->posix_pidns_np)
		return PTL_CALL_OPEN;
	type = ptl_source_type(view->source, next->event.posix_event_id);
	if (type->kind->act != PTL_ACT_LEAVE || next->data_size < sizeof(other))
		return PTL_CALL_OPEN;
	/* Its first field. */
	memcpy(&other, next->data, sizeof(other));
	if (other != callee)
		return PTL_CALL_OPEN;
	return end_after(time_of(&next->event), next->duration);
}

static void begin_function(struct ptl_calls *calls,
			   struct ptl_call_stack *stack, uint64_t callee,
			   struct ptl_moment *moment)
{
	const struct ptl_view *view = moment->view;
	struct ptl_call call = {
		.kind = PTL_CALL_FUNCTION,
		.callee = callee,
		.site = site_of(view),
		.end = ask_end(view, callee),
	};
	struct log *log = log_of(calls, view);
	size_t outer = innermost(stack);
	const struct ptl_call *in = outer > 0 ? &stack->call[outer - 1] : NULL;
	bool is_told = is_known(&call);

	if (!is_told && in != NULL && in->kind == PTL_CALL_FUNCTION &&
	    is_known(in) && in->site == call.site && call.site != 0 &&
	    in->callee != callee) {
		call.is_tail = true;
		call.end = in->end;
		moment->took = (int64_t)(in->end - calls->now);
	}
	moment->begins = true;
	found(moment, stack, push(calls, stack, &call));
	if (is_told) {
		log->awaited = stack;
		log->awaited_at = stack->nr - 1;
	}
}

/* 0: not known. */
static uint64_t start_of(struct ptl_calls *calls, const struct ptl_view *view,
			 uint64_t site)
{
	struct ptl_modules *modules = view->source->modules;
	uint64_t maps = ptl_modules_maps(modules, view->event);
	struct start *start = &calls->start[(site ^ site >> 10) % STARTS];

	if (start->maps != maps || start->site != site)
		*start = (struct start){
			maps, site,
			ptl_modules_start(modules, view->event, site)};
	return start->start;
}

/*
 * A function calls another one, so that newer calls of the thread than its own
 * were left.  What is inlined in it was called at the same place as itself, and
 * is a part of it.
 */
static void end_left(struct ptl_calls *calls, struct ptl_call_stack *stack,
		     const struct ptl_view *view)
{
	size_t nr = stack->nr, last = nr > JUMP_DEPTH ? nr - JUMP_DEPTH : 0;
	uint64_t site = site_of(view), start;

	if (stack->crosses || nr < 2 || is_known(&stack->call[nr - 1]) ||
	    stack->call[nr - 1].kind != PTL_CALL_FUNCTION || site == 0)
		return;
	start = start_of(calls, view, site);
	while (start != 0 && nr > last && stack->call[nr - 1].callee != start)
		nr--;
	if (start == 0 || nr == last)
		return;
	while (nr < stack->nr &&
	       stack->call[nr].site == stack->call[nr - 1].site)
		nr++;
	cut(calls, stack, nr, calls->now);
}

/* A program or a thread begins; so all is over that was before. */
static void begin_life(struct ptl_calls *calls, struct ptl_call_stack *stack,
		       enum ptl_call_kind kind, struct ptl_moment *moment)
{
	end_all(calls, stack, 0);
	if (!calls->wants_lives)
		return;
	moment->begins = true;
	found(moment, stack,
	      push(calls, stack,
		   &(struct ptl_call){.kind = kind, .end = PTL_CALL_OPEN}));
}

static void end_life(struct ptl_calls *calls, struct ptl_call_stack *stack,
		     enum ptl_call_kind kind, struct ptl_moment *moment)
{
	bool has_begun = stack->nr > 0 && stack->call[0].kind == kind;

	end_all(calls, stack, has_begun);
	if (!has_begun)
		return;
	calls->over = stack->call[0];
	found(moment, stack, &calls->over);
	moment->ends = true;
	calls->over.end = calls->now;
	tell(calls, stack, &calls->over, calls->now, PTL_CALL_RETURNED);
	take_out(calls, stack, 0);
}

/* In the other threads of a process all is over when it executes or ends. */
static void cut_others(struct ptl_calls *calls, const struct ptl_view *view)
{
	struct ptl_call_stack *stack = calls->stacks, *next;

	for (; stack != NULL; stack = next) {
		const struct ptl_thread *thread = stack->thread;

		next = stack->next;
		if (stack->pid == view->event->posix_pid &&
		    thread->pidns == view->event->posix_pidns_np &&
		    thread->source == view->source &&
		    thread->tid != view->event->posix_tid_np)
			end_all(calls, stack, 0);
	}
}

static void learn_function(struct ptl_calls *calls,
			   struct ptl_call_stack *stack,
			   struct ptl_moment *moment)
{
	const struct ptl_arg *arg =
		ptl_decode_find(&moment->view->args, "callee");
	uint64_t callee = arg != NULL ? (uint64_t)arg->value : 0;
	long long took = moment->view->source->duration;

	if (arg == NULL)
		return;
	if (moment->view->type->kind->act == PTL_ACT_ENTER) {
		begin_function(calls, stack, callee, moment);
		return;
	}
	add_member(&calls->returning, callee);
	calls->any_returns = true;
	if (took >= 0)
		tell_end(calls, stack, callee, took, moment);
	else
		end_now(calls, stack, callee, moment);
}

static void learn_libc(struct ptl_calls *calls, struct ptl_call_stack *stack,
		       struct ptl_moment *moment)
{
	int64_t took = moment->view->duration;

	if (!calls->wants_libc || took < 0)
		return;
	moment->begins = moment->is_told = true;
	moment->took = took;
	found(moment, stack,
	      push(calls, stack,
		   &(struct ptl_call){.kind = PTL_CALL_LIBC,
				      .end = end_after(calls->now, took)}));
}

static void learn(struct ptl_calls *calls, struct ptl_call_stack *stack,
		  struct ptl_moment *moment)
{
	switch (moment->view->type->kind->act) {
	case PTL_ACT_START:
		cut_others(calls, moment->view);
		begin_life(calls, stack, PTL_CALL_PROGRAM, moment);
		break;
	case PTL_ACT_EXIT:
		cut_others(calls, moment->view);
		end_life(calls, stack, PTL_CALL_PROGRAM, moment);
		break;
	case PTL_ACT_THREAD_START:
		begin_life(calls, stack, PTL_CALL_THREAD, moment);
		break;
	case PTL_ACT_THREAD_EXIT:
		end_life(calls, stack, PTL_CALL_THREAD, moment);
		break;
	case PTL_ACT_ENTER:
	case PTL_ACT_LEAVE:
		learn_function(calls, stack, moment);
		break;
	default:
		learn_libc(calls, stack, moment);
	}
}

/* Does it concern the calls of its thread, or does somebody want to know which
 * it is in? */
static bool is_needed(const struct ptl_calls *calls, enum ptl_act act)
{
	switch (act) {
	case PTL_ACT_ENTER:
	case PTL_ACT_LEAVE:
		return true;
	case PTL_ACT_START:
	case PTL_ACT_EXIT:
	case PTL_ACT_THREAD_START:
	case PTL_ACT_THREAD_EXIT:
		return calls->stacks != NULL || calls->wants_lives;
	default:
		return calls->stacks != NULL || calls->wants_libc;
	}
}

void ptl_calls_learn(struct ptl_calls *calls, const struct ptl_view *view,
		     struct ptl_thread *thread, struct ptl_moment *moment)
{
	enum ptl_act act = view->type->kind->act;
	struct log *log = log_of(calls, view);
	struct ptl_call_stack *stack;
	size_t in;

	moment->view = view;
	moment->took = -1;
	calls->now = time_of(view->event);
	log->losses += act == PTL_ACT_OVERFLOW;
	if (view->type->kind->family == PTL_FAMILY_TRACE ||
	    !is_needed(calls, act))
		return;
	if (thread == NULL)
		thread = ptl_threads_get(calls->threads, view, NULL);
	stack = get_stack(calls, thread, view);
	moment->thread = thread;
	if (log->awaited == NULL) {
		end_doubtful(calls, stack, log->losses, calls->now);
		end_due(calls, stack, calls->now);
	}
	if (ptl_act_enters(act) || view->type->kind->is_call)
		end_left(calls, stack, view);
	learn(calls, stack, moment);
	in = innermost(stack);
	if (moment->call == NULL && in > 0)
		moment->outer = &stack->call[in - 1];
}

unsigned int ptl_calls_open(const struct ptl_thread *thread,
			    unsigned int number, uint64_t at)
{
	const struct ptl_call_stack *stack = thread->calls;
	unsigned int nr = 0;

	for (size_t i = 0; stack != NULL && i < stack->nr; i++)
		nr += stack->call[i].of[number] != NULL &&
		      stack->call[i].begin <= at;
	return nr;
}

bool ptl_calls_cross(const struct ptl_thread *thread)
{
	return thread->calls->crosses;
}

struct ptl_call *ptl_calls_outer(const struct ptl_thread *thread,
				 const struct ptl_call *call)
{
	return outer_of(thread->calls, call);
}

void ptl_calls_finish(struct ptl_calls *calls)
{
	calls->is_finished = true;
	while (calls->stacks != NULL)
		cut(calls, calls->stacks, 0, calls->now);
}

bool ptl_calls_returns(const struct ptl_calls *calls, uint64_t callee)
{
	return callee == 0 ? calls->any_returns :
			     is_member(&calls->returning, callee);
}
