/* SPDX-License-Identifier: MIT */
/* What events have to do with calls; see calls.h. */
#include "tools/model/calls.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/format/sysevents.h"
#include "tools/lib/clock.h"
#include "tools/lib/say.h"
#include "tools/model/modules.h"

/* From how far a jump may come. */
#define JUMP_DEPTH 256

/* Functions that were looked up lately. */
#define STARTS 1024

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
	struct ptl_callstacks all;
	struct ptl_threads *threads;
	const struct ptl_merge *merge;
	struct log *log;
	struct log *current; /* of the event that is learned from */
	bool wants_lives, wants_libc;
	bool any_returns;
	struct ptl_call over;	    /* the one that the event ended */
	struct start start[STARTS]; /* by the place of the call */
};

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
	assert(calls->all.nr_users < PTL_CALL_USERS);
	user->number = calls->all.nr_users;
	calls->all.user[calls->all.nr_users++] = user;
	calls->wants_lives |= user->wants_lives;
	calls->wants_libc |= user->wants_libc;
}

static uint64_t site_of(const struct ptl_view *view)
{
	return (uintptr_t)view->event->posix_prog_address;
}

static uint64_t end_after(uint64_t begin, int64_t took)
{
	uint64_t end = begin + (uint64_t)took;

	return end < begin || end == PTL_CALL_OPEN ? begin : end;
}

/* The end of a call may be lost: one that comes is perhaps another's.  What is
 * known to end later goes on. */
static void end_doubtful(struct ptl_calls *calls, struct ptl_call_stack *stack,
			 uint64_t losses)
{
	if (stack->losses == losses)
		return;
	stack->losses = losses;
	ptl_callstack_end_open(&calls->all, stack);
	stack->nr_left = 0;
}

/* All is over that was, on each of its stacks. */
static void end_all(struct ptl_calls *calls, struct ptl_call_stack *stack,
		    size_t first)
{
	ptl_callstack_cut(&calls->all, stack, first, calls->all.now);
	stack->has_fibers = stack->is_timed = false;
	stack->nr_left = 0;
	stack->resumed = 0;
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
		stack->due = PTL_CALL_OPEN;
		stack->losses = calls->current->losses;
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

static void found(struct ptl_moment *moment, struct ptl_call_stack *stack,
		  struct ptl_call *call)
{
	moment->thread = stack->thread;
	moment->call = call;
	moment->outer = ptl_callstack_outer(stack, call);
}

/* Does an event of its type say how long the call took, unless the recorder
 * does not know since when it is in progress? */
static bool is_timed(const struct ptl_view *view)
{
	return view->event->posix_event_id >= PTL_EV_CALL_RETURN;
}

static void end_now(struct ptl_calls *calls, struct ptl_call_stack *stack,
		    uint64_t callee, struct ptl_moment *moment)
{
	bool is_late = is_timed(moment->view);
	size_t i = ptl_callstack_find(stack, callee, site_of(moment->view),
				      is_late);

	if (i == 0) {
		moment->took =
			ptl_callstack_find_left(&calls->all, stack, callee);
		return;
	}
	if (stack->call[--i].is_passed ||
	    (is_late && stack->is_timed && stack->nr < PTL_CALLS_TIMED))
		ptl_callstack_resume(&calls->all, stack, i);
	ptl_callstack_pass(&calls->all, stack, i);
	stack->newest = 0;
	found(moment, stack, &stack->call[i]);
	moment->ends = true;
	moment->took = (int64_t)(calls->all.now - moment->call->begin);
	moment->call->end = calls->all.now;
	ptl_callstack_tell(&calls->all, stack, moment->call, calls->all.now,
			   PTL_CALL_RETURNED);
	calls->over = *moment->call;
	moment->call = &calls->over;
	ptl_callstack_take_out(&calls->all, stack, i);
}

/* The call that this is the end of, by its number + 1, and its stack; 0: it is
 * none, or gone.  A log may say of its events what it likes. */
static size_t take_awaited(struct log *log, struct ptl_call_stack **stack,
			   uint64_t callee)
{
	struct ptl_call_stack *of = log->awaited;
	size_t at = log->awaited_at;

	log->awaited = NULL;
	if (of == NULL || at >= of->nr || of->call[at].callee != callee)
		return 0;
	*stack = of;
	return at + 1;
}

/* The call has just begun; this says when it will end.  What came since then,
 * if anything, is inside of it. */
static void tell_end(struct ptl_calls *calls, struct ptl_call_stack *stack,
		     uint64_t callee, int64_t took, struct ptl_moment *moment)
{
	uint64_t end = end_after(calls->all.now, took);
	size_t i = take_awaited(calls->current, &stack, callee);

	moment->is_told = true;
	moment->took = took;
	stack->is_timed |= is_timed(moment->view);
	stack->newest = 0;
	if (i == 0)
		i = ptl_callstack_find(stack, callee, site_of(moment->view),
				       false);
	if (i == 0) {
		moment->begins = true;
		found(moment, stack,
		      ptl_callstack_push(
			      &calls->all, stack,
			      &(struct ptl_call){.kind = PTL_CALL_FUNCTION,
						 .callee = callee,
						 .site = site_of(moment->view),
						 .end = end}));
		return;
	}
	found(moment, stack, &stack->call[i - 1]);
	/* What tells of the end is later by as much as clocks are exact. */
	moment->call->begin = calls->all.now;
	if (ptl_call_is_known(moment->call) && !moment->call->is_tail)
		return;
	moment->call->is_tail = false;
	moment->call->end = end;
	if (stack->due > end)
		stack->due = end;
	if (moment->outer != NULL && moment->outer->end < end)
		stack->crosses = stack->is_mixed = true;
	if (stack->known != i)
		ptl_callstack_link_known(stack, i - 1);
}

/* Another thread may call the function at the same time. */
static bool is_same_thread(const struct posix_trace_event_info *event,
			   const struct posix_trace_event_info *other)
{
	return event->posix_tid_np == other->posix_tid_np &&
	       event->posix_pid == other->posix_pid &&
	       event->posix_pidns_np == other->posix_pidns_np;
}

/* When it ends, if that is the log's next event; the times of the two are the
 * same. */
static uint64_t ask_end(const struct ptl_view *view, uint64_t callee)
{
	const struct ptl_next *next = ptl_source_peek(view->source);
	const struct ptl_type *type;
	uint64_t other;

	if (next == NULL || next->duration < 0 ||
	    !is_same_thread(&next->event, view->event))
		return PTL_CALL_OPEN;
	type = next->type;
	if (type->kind->act != PTL_ACT_LEAVE || next->data_size < sizeof(other))
		return PTL_CALL_OPEN;
	/* The event's first field. */
	memcpy(&other, next->data, sizeof(other));
	if (other != callee)
		return PTL_CALL_OPEN;
	return end_after(ptl_ns(&next->event.posix_timestamp), next->duration);
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
 * Is a call, whose end is not told of, the last act of the one that it is in?
 * It is if that one was called at the same place, for there a jump has left the
 * return address.  The same function may really be called there again while it
 * goes on: by itself, by what it calls, or on another stack.  Its last act it
 * is if nothing else was called in between.
 */
static bool is_last_act(struct ptl_calls *calls,
			const struct ptl_call_stack *stack,
			const struct ptl_view *view, const struct ptl_call *in,
			const struct ptl_call *call)
{
	uint64_t start;

	if (in == NULL || in->kind != PTL_CALL_FUNCTION ||
	    !ptl_call_is_known(in) || in->site != call->site || call->site == 0)
		return false;
	if (in->callee != call->callee)
		return true;
	start = start_of(calls, view, call->site);
	return !stack->has_fibers && in->number == stack->functions &&
	       start != 0 && start != call->callee;
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
	size_t outer = ptl_callstack_innermost(stack);
	const struct ptl_call *in = outer > 0 ? &stack->call[outer - 1] : NULL;
	bool is_told = ptl_call_is_known(&call);

	if (!is_told && is_last_act(calls, stack, view, in, &call)) {
		call.is_tail = true;
		call.end = in->end;
		moment->took = (int64_t)(in->end - calls->all.now);
	}
	moment->begins = true;
	found(moment, stack, ptl_callstack_push(&calls->all, stack, &call));
	stack->newest = ptl_call_is_known(&call) ? 0 : stack->nr;
	if (!ptl_call_is_known(&call) && moment->outer != NULL &&
	    moment->outer->kind == PTL_CALL_FUNCTION)
		moment->call->is_sure = start_of(calls, view, call.site) ==
					moment->outer->callee;
	if (is_told) {
		calls->current->awaited = stack;
		calls->current->awaited_at = stack->nr - 1;
	}
}

/*
 * A function calls another one, so that newer calls of the thread than its own
 * were left.  What is inlined in it was called at the same place as itself, and
 * is a part of it.
 */
static void end_left(struct ptl_calls *calls, struct ptl_call_stack *stack,
		     const struct ptl_view *view)
{
	size_t last = ptl_callstack_innermost(stack), i = last;
	uint64_t site = site_of(view), start;

	if (stack->has_fibers || last < 2 ||
	    ptl_call_is_known(&stack->call[last - 1]) ||
	    stack->call[last - 1].kind != PTL_CALL_FUNCTION || site == 0)
		return;
	start = start_of(calls, view, site);
	for (int n = 0; i > 0 && n < JUMP_DEPTH; n++) {
		if (stack->call[i - 1].callee == start)
			break;
		i = stack->call[i - 1].outer;
	}
	if (start == 0 || i == 0 || stack->call[i - 1].callee != start)
		return;
	while (i < last && stack->call[i].outer == i &&
	       stack->call[i].site == stack->call[i - 1].site)
		i++;
	if (i < last)
		ptl_callstack_pass(&calls->all, stack, i - 1);
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
	      ptl_callstack_push(
		      &calls->all, stack,
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
	calls->over.end = calls->all.now;
	ptl_callstack_tell(&calls->all, stack, &calls->over, calls->all.now,
			   PTL_CALL_RETURNED);
	ptl_callstack_take_out(&calls->all, stack, 0);
}

/* In the other threads of a process all is over when it executes or ends. */
static void cut_others(struct ptl_calls *calls, const struct ptl_view *view)
{
	pid_t pid = view->event->posix_pid;
	struct ptl_call_stack *stack = *ptl_callstacks_of(&calls->all, pid);
	struct ptl_call_stack *next;

	for (; stack != NULL; stack = next) {
		const struct ptl_thread *thread = stack->thread;

		next = stack->next;
		if (stack->pid == pid &&
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
		ptl_kind_arg(moment->view->type->kind, PTL_FIELD_CALLEE,
			     &moment->view->args);
	uint64_t callee = arg != NULL ? (uint64_t)arg->value : 0;
	long long took = moment->view->source->duration;

	if (arg == NULL) {
		calls->current->awaited = NULL;
		return;
	}
	if (moment->view->type->kind->act == PTL_ACT_ENTER) {
		begin_function(calls, stack, callee, moment);
		return;
	}
	ptl_functions_add(&calls->all.returning, callee);
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
	      ptl_callstack_push(
		      &calls->all, stack,
		      &(struct ptl_call){
			      .kind = PTL_CALL_LIBC,
			      .end = end_after(calls->all.now, took)}));
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
		return calls->all.nr > 0 || calls->wants_lives;
	default:
		return calls->all.nr > 0 || calls->wants_libc;
	}
}

void ptl_calls_learn(struct ptl_calls *calls, const struct ptl_view *view,
		     struct ptl_thread *thread, struct ptl_moment *moment)
{
	enum ptl_act act = view->type->kind->act;
	struct log *log = log_of(calls, view);
	struct ptl_call_stack *stack;
	size_t in;

	calls->current = log;
	moment->view = view;
	moment->took = -1;
	calls->all.now = ptl_ns(&view->event->posix_timestamp);
	log->losses += act == PTL_ACT_OVERFLOW;
	if (view->type->kind->family == PTL_FAMILY_TRACE ||
	    !is_needed(calls, act))
		return;
	if (thread == NULL)
		thread = ptl_threads_get(calls->threads, view, NULL);
	moment->thread = thread;
	/* What is told of a thread is no call, may begin in one and end behind
	 * it, and have another number of the image: see threads.c. */
	if (view->type->kind->family == PTL_FAMILY_SCHED ||
	    view->type->kind->family == PTL_FAMILY_CPU)
		return;
	stack = get_stack(calls, thread, view);
	if (log->awaited == NULL) {
		end_doubtful(calls, stack, log->losses);
		ptl_callstack_end_due(&calls->all, stack, calls->all.now);
	}
	if (ptl_act_enters(act) || view->type->kind->is_call)
		end_left(calls, stack, view);
	learn(calls, stack, moment);
	in = ptl_callstack_innermost(stack);
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
	return thread->calls->is_mixed;
}

const struct ptl_call *ptl_calls_in(const struct ptl_thread *thread,
				    uint64_t at)
{
	const struct ptl_call_stack *stack = thread->calls;
	size_t i = stack != NULL ? ptl_callstack_innermost(stack) : 0;

	for (; i > 0; i = stack->call[i - 1].outer) {
		const struct ptl_call *call = &stack->call[i - 1];

		/* An end that is not known is PTL_CALL_OPEN. */
		if (call->kind == PTL_CALL_FUNCTION && call->begin <= at &&
		    call->end > at)
			return call;
	}
	return NULL;
}

struct ptl_call *ptl_calls_outer(const struct ptl_thread *thread,
				 const struct ptl_call *call)
{
	return ptl_callstack_outer(thread->calls, call);
}

void ptl_calls_finish(struct ptl_calls *calls)
{
	calls->all.is_finished = true;
	for (size_t i = 0; i < PTL_CALLSTACKS_LISTS; i++)
		while (calls->all.first[i] != NULL)
			ptl_callstack_cut(&calls->all, calls->all.first[i], 0,
					  calls->all.now);
}

bool ptl_calls_returns(const struct ptl_calls *calls, uint64_t callee)
{
	return callee == 0 ? calls->any_returns :
			     ptl_functions_have(&calls->all.returning, callee);
}
