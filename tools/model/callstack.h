/* SPDX-License-Identifier: MIT */
/*
 * The calls that a thread is in, the newest last.  Mostly each is in the one
 * before; but
 *
 * - one that ends later than the one before is on another stack of the same
 *   thread (fibers, coroutines), and is in what both are in;
 * - one that begins where the one before was called is its last act: it was
 *   jumped to, and nothing else tells of its end;
 * - one whose end is not seen was left by a jump or an exception, or goes on on
 *   another stack: when what it is in is over, or calls another, it is passed
 *   by.  Nothing is in it from then on, and it waits for an end of its own;
 * - where the recorder knows since when calls are in progress, but does not
 * know it of one that ends, that is one of a stack that was not the last.
 */
#ifndef PTL_TOOLS_MODEL_CALLSTACK_H
#define PTL_TOOLS_MODEL_CALLSTACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/model/threads.h"

enum ptl_call_kind {
	PTL_CALL_PROGRAM,
	PTL_CALL_THREAD,
	PTL_CALL_FUNCTION,
	PTL_CALL_LIBC,
};

/* How a call is over. */
enum ptl_call_end {
	PTL_CALL_PASSED,   /* its end was told before, and has come */
	PTL_CALL_RETURNED, /* the event tells of it */
	PTL_CALL_TOGETHER, /* with the call of which it was the last act */
	PTL_CALL_LEFT,	   /* no end was seen; at the time when it was passed */
};

/* Who keeps something with calls at the same time. */
#define PTL_CALL_USERS 4

#define PTL_CALL_OPEN UINT64_MAX

struct ptl_call {
	enum ptl_call_kind kind;
	bool is_tail;	 /* it ends with the call that it is in */
	bool is_sure;	 /* called by what it is in, so on the same stack */
	bool is_passed;	 /* left, or on another stack */
	bool is_aside;	 /* on another stack than what ends before it */
	uint64_t callee; /* of a FUNCTION */
	uint64_t site;	 /* where it is called */
	uint64_t begin;	 /* ns of CLOCK_REALTIME, as posix_timestamp */
	uint64_t end;	 /* or PTL_CALL_OPEN */
	uint64_t passed; /* when it was, if it is */
	uint64_t number; /* of a FUNCTION: as ptl_call_stack.functions */
	size_t outer;	 /* what it is in: its number + 1; 0: nothing */
	size_t known;	 /* the innermost around it whose end is known, so */
	void *of[PTL_CALL_USERS];
};

/* Who wants to know of them, and of their ends: the call is still there, and so
 * is what it was in. */
struct ptl_calls_user {
	bool wants_lives; /* programs and threads, too */
	bool wants_libc;
	void (*leave)(void *of, struct ptl_thread *thread,
		      struct ptl_call *call, struct ptl_call *outer,
		      uint64_t at, enum ptl_call_end how);
	/* From now on nothing is in the call, which may end all the same.  May
	 * be NULL. */
	void (*pass)(void *of, struct ptl_thread *thread, struct ptl_call *call,
		     struct ptl_call *outer, uint64_t at);
	void *of;
	unsigned int number; /* in ptl_call.of */
};

/* Calls that were taken for left, and may be on another stack. */
#define PTL_CALLS_LEFT 64

/* So many calls of a thread are kept that were passed by: where no other stack
 * was seen, and where one was. */
#define PTL_CALLS_JUMPED 64
#define PTL_CALLS_PASSED 192

/* The recorder knows of so many calls of a thread since when they are in
 * progress. */
#define PTL_CALLS_TIMED 1024

struct ptl_call_left {
	uint64_t callee, begin;
};

struct ptl_call_stack {
	struct ptl_call_stack *next, **link; /* see ptl_callstacks_of() */
	struct ptl_thread *thread;
	struct ptl_call *call;
	size_t nr, room;
	size_t known;  /* the innermost whose end is known: as ptl_call.known */
	bool crosses;  /* of these an inner one may end later than an outer */
	uint64_t due;  /* then none of them ends before */
	bool is_mixed; /* some were passed by while there were calls */
	bool has_fibers;    /* an end came of a call that was passed by */
	bool is_timed;	    /* an end said how long its call took */
	uint64_t functions; /* so many calls of functions have begun */
	size_t newest; /* the call whose begin was the last event of a call, if
			* its end is not known: its number + 1; or 0 */
	uint64_t resumed; /* since then the thread is on this stack */
	size_t nr_passed;
	int64_t sum[PTL_CALL_USERS]; /* what a user counts of the thread */
	uint64_t losses;
	pid_t pid;
	unsigned int image;
	pthread_t self;
	struct ptl_call_left left[PTL_CALLS_LEFT]; /* a ring */
	size_t nr_left;
};

/* A set of functions, by hash: a wrong member does no harm. */
struct ptl_functions {
	unsigned char bit[4096];
};

/* Lists of stacks: there may be 100 000 processes at once. */
#define PTL_CALLSTACKS_LISTS 4096

/* All stacks that are not empty, and who wants to know of them. */
struct ptl_callstacks {
	struct ptl_call_stack *first[PTL_CALLSTACKS_LISTS];
	size_t nr;
	struct ptl_calls_user *user[PTL_CALL_USERS];
	unsigned int nr_users;
	struct ptl_functions returning; /* functions that had an exit event */
	uint64_t now;			/* of the last event */
	bool is_finished;
};

/* The list of those of a process, and of some others. */
static inline struct ptl_call_stack **
ptl_callstacks_of(struct ptl_callstacks *all, pid_t pid)
{
	return &all->first[(unsigned int)pid % PTL_CALLSTACKS_LISTS];
}

static inline unsigned int ptl_functions_hash(uint64_t callee)
{
	return (unsigned int)(callee * UINT64_C(0x9e3779b97f4a7c15) >> 49);
}

static inline bool ptl_functions_have(const struct ptl_functions *set,
				      uint64_t callee)
{
	unsigned int hash = ptl_functions_hash(callee);

	return set->bit[hash / 8] & 1 << hash % 8;
}

static inline void ptl_functions_add(struct ptl_functions *set, uint64_t callee)
{
	unsigned int hash = ptl_functions_hash(callee);

	set->bit[hash / 8] |= (unsigned char)(1 << hash % 8);
}

static inline bool ptl_call_is_known(const struct ptl_call *call)
{
	return call->end != PTL_CALL_OPEN;
}

static inline struct ptl_call *
ptl_callstack_outer(const struct ptl_call_stack *stack,
		    const struct ptl_call *call)
{
	return call->outer > 0 ? &stack->call[call->outer - 1] : NULL;
}

/* A call begins, now. */
struct ptl_call *ptl_callstack_push(struct ptl_callstacks *all,
				    struct ptl_call_stack *stack,
				    const struct ptl_call *new);

/* When the last of the calls inside of it ends, of those whose end is known; 0:
 * there is none. */
uint64_t ptl_callstack_latest(const struct ptl_call_stack *stack,
			      const struct ptl_call *call);

/* The call that the thread is in, by its number + 1; 0: none. */
size_t ptl_callstack_innermost(const struct ptl_call_stack *stack);

/* The call of the function that ends with an event from that place, by its
 * number + 1; 0: there is none.  is_late: not the last one of the stack that
 * the recorder knew. */
size_t ptl_callstack_find(const struct ptl_call_stack *stack, uint64_t callee,
			  uint64_t site, bool is_late);

/* A call that was taken for left has ended: so long it took; -1: there is none.
 */
int64_t ptl_callstack_find_left(struct ptl_callstacks *all,
				struct ptl_call_stack *stack, uint64_t callee);

/* A call ends, or calls another one: the calls inside of it were left, or are
 * on another stack. */
void ptl_callstack_pass(struct ptl_callstacks *all,
			struct ptl_call_stack *stack, size_t i);

/* A call that is on another stack ends: that is the thread's stack now. */
void ptl_callstack_resume(struct ptl_callstacks *all,
			  struct ptl_call_stack *stack, size_t i);

/* The end of a call is known from now on. */
void ptl_callstack_link_known(struct ptl_call_stack *stack, size_t i);

/* What is over by now. */
void ptl_callstack_end_due(struct ptl_callstacks *all,
			   struct ptl_call_stack *stack, uint64_t now);

/* The calls from number `first' on are over. */
void ptl_callstack_cut(struct ptl_callstacks *all, struct ptl_call_stack *stack,
		       size_t first, uint64_t at);

/* The calls of functions are over whose end is not known, and no end is theirs
 * from now on.  The others are in what those were in. */
void ptl_callstack_end_open(struct ptl_callstacks *all,
			    struct ptl_call_stack *stack);

/* That a call is over is told to all who want to know; then it is taken out. */
void ptl_callstack_tell(struct ptl_callstacks *all,
			struct ptl_call_stack *stack, struct ptl_call *call,
			uint64_t at, enum ptl_call_end how);
void ptl_callstack_take_out(struct ptl_callstacks *all,
			    struct ptl_call_stack *stack, size_t at);

#endif
