/* SPDX-License-Identifier: MIT */
/*
 * The call that is being recorded, of each thread, and the stack for that. Go's
 * handlers of signals run on stacks of their own, and do not leave ours by a
 * jump; C programs, where that may happen, have room on the stack that they are
 * on.  The child of a vfork may have not: of musl's posix_spawn() it has 5 KiB
 * that lie in the frame of its parent, which waits.  Nor may threads of a
 * static program that is not linked with glibc: musl's may have 2 KiB, its own
 * for aio have hardly more, and nobody can tell from outside.  A handler that
 * jumps out of a call of such a thread leaves what it had of our stack in use,
 * for it might go on there after all; where too little is free the thread gets
 * another stack, but not for ever.
 *
 * There is no thread-local storage for it, of which the library may have
 * little: it is found by the thread pointer, which libc gives to a later thread
 * again, with what is found then.  A child that goes on beside its parent in
 * the same memory has its parent's thread pointer: what it has is found by the
 * stack that it is on, which is always one of ours.
 */
#include "preload/raw/raw.h"

#include "core/core.h"
#include "core/sys/syscall.h"

#include "preload/hook/hooks.h"
#include "preload/libc/scratch.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#if defined(__x86_64__)

/* More that live at once are not recorded. */
#define THREADS 16384
#define PROBES 32
#define STACK_LEAST 12288 /* for a call; else it is not recorded */

#define STACKS_LEFT 64 /* in use, perhaps, of a thread at most */

/* And so aligned.  In threads of static C programs handlers may run on it:
 * twice as much as musl's threads have if they do not say. */
#if PTL_RAW_IS_STATIC
#define STACK_SIZE UINT64_C(262144)
#else
#define STACK_SIZE UINT64_C(32768)
#endif

/* Of what is in use of a thread's stack when a call is made, at most so much is
 * below the frame of who makes it. */
#define FRAME 1024

struct thread {
	_Atomic uintptr_t pointer; /* 0: nobody's */
	uintptr_t top;	     /* of what is free of its stack; 0: it has none */
	struct ptl_raw *raw; /* that is being recorded */
	uintptr_t kept;	     /* `top' for the parent of a vfork's child; or 0 */
	uint8_t nr_left;     /* stacks that it had before */
	bool is_busy;	     /* on that stack, but not in the call */
	bool executes;	     /* maybe it does not come back */
};

static struct thread threads[THREADS] PTL_BULK;

/* The children beside their parents, without gaps; `pointer' is a number.  More
 * in one memory are not recorded. */
#define CHILDREN 64

static struct thread children[CHILDREN] PTL_BULK;

static bool has_stacks;

/* Why calls have not been recorded: bits of enum ptl_raw_limit. */
static _Atomic unsigned int missed, told;

static const struct ptl_raw_room none;

static struct ptl_raw_room miss(enum ptl_raw_limit limit)
{
	atomic_fetch_or_explicit(&missed, limit, memory_order_relaxed);
	return none;
}

unsigned int ptl_raw_missed(void)
{
	unsigned int all = atomic_load_explicit(&missed, memory_order_relaxed);

	if (PTL_LIKELY(!all) || ptl_core_in_vfork_child())
		return 0;
	return all &
	       ~atomic_fetch_or_explicit(&told, all, memory_order_relaxed);
}

void ptl_raw_use_stacks(void)
{
	has_stacks = true;
}

static uintptr_t thread_pointer(void)
{
	uintptr_t pointer;

	__asm__("movq %%fs:0, %0" : "=r"(pointer));
	return pointer;
}

static struct thread *probe(uintptr_t pointer, size_t i)
{
	uint64_t hash = (pointer >> 6) * UINT64_C(0x9e3779b97f4a7c15);

	return &threads[((hash >> 32) + i) % THREADS];
}

/* Is the caller on it? */
static bool is_on(const struct thread *own)
{
	uintptr_t frame = (uintptr_t)__builtin_frame_address(0);

	return own->top != 0 && ((frame ^ own->top) & -STACK_SIZE) == 0;
}

static uintptr_t pointer_of(const struct thread *thread)
{
	return atomic_load_explicit(&thread->pointer, memory_order_relaxed);
}

static struct thread *child_on_its_stack(void)
{
	for (size_t i = 0; i < CHILDREN && pointer_of(&children[i]); i++)
		if (is_on(&children[i]))
			return &children[i];
	return NULL;
}

static bool is_child(const struct thread *own)
{
	return own >= children && own < children + CHILDREN;
}

static struct thread *mine(void)
{
	struct thread *child = child_on_its_stack();
	uintptr_t pointer = thread_pointer();

	if (PTL_UNLIKELY(child))
		return child;
	for (size_t i = 0; i < PROBES; i++) {
		struct thread *thread = probe(pointer, i);

		if (PTL_LIKELY(pointer_of(thread) == pointer))
			return thread;
	}
	return NULL;
}

/* NULL: too many are there. */
static struct thread *take(void)
{
	uintptr_t pointer = thread_pointer();
	struct thread *thread = mine();

	for (size_t i = 0; i < PROBES && !thread; i++) {
		uintptr_t nobody = 0;

		thread = probe(pointer, i);
		if (!atomic_compare_exchange_strong_explicit(
			    &thread->pointer, &nobody, pointer,
			    memory_order_relaxed, memory_order_relaxed))
			thread = NULL;
	}
	return thread;
}

static uintptr_t full(uintptr_t top)
{
	return (top | (STACK_SIZE - 1)) - 63;
}

/* Is the stack of one that has ended?  One in another namespace of processes
 * may look so: then it is in no call that is recorded. */
static bool is_left(const struct thread *child, uintptr_t tid)
{
	return (!child->raw || child->executes) &&
	       ptl_sys_pass(SYS_kill, (long)tid, 0, 0, 0, 0, 0) == -ESRCH;
}

static bool claim(struct thread *child, uintptr_t before, uintptr_t tid)
{
	if (!atomic_compare_exchange_strong_explicit(&child->pointer, &before,
						     tid, memory_order_relaxed,
						     memory_order_relaxed))
		return false;
	if (child->top)
		child->top = full(child->top);
	child->raw = NULL;
	child->nr_left = 0;
	child->is_busy = false;
	return true;
}

static struct thread *take_child(uintptr_t tid)
{
	for (size_t i = 0; i < CHILDREN; i++)
		if (pointer_of(&children[i]) == tid)
			return &children[i];
	for (size_t i = 0; i < CHILDREN; i++) {
		uintptr_t before = pointer_of(&children[i]);

		if ((!before || is_left(&children[i], before)) &&
		    claim(&children[i], before, tid))
			return &children[i];
	}
	return NULL;
}

/* There is no more of it than is asked for, and all of it is aligned. */
static uintptr_t new_stack(void)
{
	char *room, *stack;
	uintptr_t at;

	if (ptl_is_quiet())
		return 0;
	room = ptl_sys_mmap(NULL, 2 * STACK_SIZE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (room == MAP_FAILED)
		return 0;
	at = ((uintptr_t)room + STACK_SIZE - 1) & -STACK_SIZE;
	stack = room + (at - (uintptr_t)room);
	if (stack > room)
		ptl_sys_munmap(room, (size_t)(stack - room));
	ptl_sys_munmap(stack + STACK_SIZE, STACK_SIZE - (size_t)(stack - room));
	return full(at);
}

static bool is_small(const struct ptl_raw *raw)
{
	return PTL_RAW_IS_STATIC && ptl_static_is_small(raw);
}

/* Busy from before the first word on it until behind the last: a handler may
 * come at any instruction, and be on another stack.  The child of a vfork does
 * not always come back. */
static struct ptl_raw_room take_stack(struct thread *own, uintptr_t sp)
{
	if (!own->kept && !is_child(own) && ptl_core_in_vfork_child())
		own->kept = own->top;
	own->is_busy = true;
	return (struct ptl_raw_room){sp, &own->is_busy};
}

/* The stack that the caller is on; or in the child of a vfork, if it has its
 * parent's storage, the one that is kept for that parent, who makes no call
 * meanwhile. */
static struct ptl_raw_room lent(struct thread *own, struct ptl_raw *raw)
{
	const struct ptl_raw_room callers = {(uintptr_t)raw, NULL};

	if (PTL_LIKELY(!ptl_core_in_vfork_child()) || own->is_busy ||
	    thread_pointer() == 0)
		return callers;
	if (!own->top)
		own->top = new_stack();
	return own->top ? take_stack(own, own->top) : callers;
}

static bool is_on_alternate(void)
{
	stack_t stack = {.ss_flags = 0};

	return ptl_sys_door != PTL_DOOR_OPEN ||
	       ptl_sys_pass(SYS_sigaltstack, 0, (long)&stack, 0, 0, 0, 0) !=
		       0 ||
	       stack.ss_flags & SS_ONSTACK;
}

/* A handler that came on the way into a call or out of it, to the stack of that
 * or to its own, goes back there. */
static bool is_between(const struct thread *own)
{
	return own->is_busy && (is_on(own) || is_on_alternate());
}

static bool change_stack(struct thread *own)
{
	uintptr_t top = own->nr_left < STACKS_LEFT ? new_stack() : 0;

	if (!top)
		return false;
	if (own->top)
		own->nr_left++;
	own->top = top;
	return true;
}

/* What is left of the stack of its own, below a handler; or another one, where
 * a handler has jumped away and too little is left. */
static struct ptl_raw_room own_stack(struct thread *own, struct ptl_raw *raw)
{
	const uintptr_t below = STACK_SIZE - 1;
	bool is_nested = is_on(own);
	uintptr_t sp = is_nested ? (uintptr_t)raw : own->top;

	if (is_between(own) || (is_nested && (sp & below) < STACK_LEAST))
		return none;
	if (own->is_busy || (sp & below) < STACK_LEAST) {
		if (!change_stack(own))
			return miss(PTL_RAW_STACKS);
		sp = own->top;
	}
	return take_stack(own, sp);
}

static struct ptl_raw_room stack_of_child(uint32_t tid, struct ptl_raw *raw)
{
	struct thread *own = NULL;

	if (tid == PTL_BESIDE_UNKNOWN)
		return none;
	own = take_child(tid);
	if (!own)
		return miss(PTL_RAW_CHILDREN);
	own->executes = false;
	return own_stack(own, raw);
}

/* The child of a vfork has ended, or executed something. */
static void take_back(struct thread *own)
{
	if (PTL_LIKELY(!own->kept) || ptl_core_in_vfork_child())
		return;
	own->top = own->kept;
	own->kept = 0;
	own->is_busy = false;
}

/* Tasks that an outsider makes are outsiders, too. */
static struct ptl_raw_room outsider(const struct ptl_raw *raw)
{
	ptl_outsider_hook(raw->number, (unsigned long)raw->a,
			  (unsigned long)raw->b, (unsigned long)raw->d,
			  (unsigned long)raw->e);
	return none;
}

struct ptl_raw_room ptl_raw_stack(struct ptl_raw *raw)
{
	struct thread *own;
	uint32_t beside;

#if PTL_RAW_IS_STATIC
	if (!ptl_static_thread())
		return none;
#endif
	if (ptl_core_outsider())
		return outsider(raw);
	beside = ptl_core_beside();
	if (PTL_UNLIKELY(beside))
		return stack_of_child(beside, raw);
	own = take();
	if (!own)
		return miss(PTL_RAW_THREADS);
	take_back(own);
	if (!has_stacks && (ptl_core_in_vfork_child() || !is_small(raw)))
		return lent(own, raw);
	return own_stack(own, raw);
}

void ptl_raw_thread_ends(void)
{
	struct thread *own = mine();
	uintptr_t top = own ? own->top : 0;

	if (!own)
		return;
	own->top = own->kept = 0;
	own->nr_left = 0;
	if (top)
		ptl_sys_munmap((void *)(top & -STACK_SIZE), STACK_SIZE);
	/* Nobody else has looked at what is there. */
	atomic_store_explicit(&own->pointer, 0, memory_order_relaxed);
}

struct ptl_raw *ptl_raw_begin(struct ptl_raw *raw)
{
	struct thread *own = mine();
	struct ptl_raw *outer = own->raw;

	own->raw = raw;
	return outer;
}

void ptl_raw_end(struct ptl_raw *outer)
{
	mine()->raw = outer;
}

/* Handlers that come during the call have what is free of the stack. */
long ptl_raw_pass(long number, long a, long b, long c, long d, long e, long f)
{
	struct thread *own = mine();
	struct ptl_raw *raw = own->raw;
	uintptr_t top = own->top;
	long ret;

	if (!is_on(own) ||
	    (!has_stacks && !is_child(own) && ptl_core_in_vfork_child())) {
		ret = ptl_raw_syscall(number, a, b, c, d, e, f, 0);
		own->raw = raw;
		return ret;
	}
	own->top =
		((uintptr_t)__builtin_frame_address(0) - FRAME) & -UINT64_C(16);
	PTL_HANDLER_FENCE();
	own->is_busy = false;
	ret = ptl_raw_syscall(number, a, b, c, d, e, f, (uintptr_t)raw);
	own->is_busy = true;
	PTL_HANDLER_FENCE();
	own->top = top;
	own->raw = raw;
	return ret;
}

void ptl_raw_leaving(void)
{
	mine()->executes = true;
}

long ptl_raw_made(long number, long a, long b, long c, long d, long e, long f)
{
	long ret = ptl_raw_pass(number, a, b, c, d, e, f);

	mine()->raw->number = ret;
	if (ret >= 0 || ret < -4095)
		return ret;
	errno = (int)-ret;
	return -1;
}

const void *ptl_raw_caller(void)
{
	uintptr_t at = mine()->raw->at;
	const void *caller;
	uint32_t distance;

	memcpy(&distance, (const void *)(at - sizeof(distance)),
	       sizeof(distance));
	memcpy(&caller, (const void *)(at + distance), sizeof(caller));
	return caller;
}

#endif
