/* SPDX-License-Identifier: MIT */
/*
 * Arenas of slots: private memory, whose slots a fork wipes.  Arenas are never
 * unmapped, for a handler may be looking at one; where they are is kept in
 * ordinary memory, which a fork copies.  Taking a slot is one compare-and-
 * swap on its tid; the tids of an arena stand together, so that looking for
 * one does not touch a page for each slot.
 *
 * A handler may come between any two steps, record, and also fork: in the child
 * the thread has another tid and another slot, taken by the handler, when it
 * goes on here with what it had found in the parent.  So a slot changes hands
 * only from the thread that it is known to belong to, and the one that takes it
 * looks again.
 */
#include "core/record/slots.h"

#include "core/record/nest.h"
#include "core/record/sums.h"
#include "core/sys/check.h"
#include "core/sys/clock.h"
#include "core/sys/ident.h"
#include "core/sys/pidns.h"
#include "core/sys/syscall.h"
#include "core/sys/wait.h"
#include "core/unwind/last.h"
#include "core/unwind/scratch.h"

#include <string.h>

#define ARENA_SIZE (576 * 1024)
#define ARENA_SLOTS \
	(ARENA_SIZE / (sizeof(struct ptl_slot) + sizeof(struct stacks)) - 1)
#define MAX_ARENAS 256
/* Reserved for a thread that has no tid yet. */
#define TID_UNBORN 0xffffffffu

/* Of a thread that records stacks. */
struct stacks {
	struct ptl_walked walked; /* the last */
	struct ptl_desk desk;
} __attribute__((aligned(64)));

/* Dense at its beginning: one thread touches one page, or two. */
struct arena {
	_Atomic uint32_t settled;	   /* of the first: 0 after a fork */
	_Atomic uint32_t tid[ARENA_SLOTS]; /* 0: the slot is free */
	struct ptl_slot slot[ARENA_SLOTS];
} __attribute__((aligned(4096)));
#define WIPED_SIZE sizeof(struct arena)
static_assert(WIPED_SIZE + ARENA_SLOTS * sizeof(struct stacks) <= ARENA_SIZE,
	      "arena");

/* The stacks of the first arena are here, for a mapping of two parts costs each
 * process that starts, and each fork, as much as two mappings. */
static struct stacks first_stacks[ARENA_SLOTS] PTL_BULK;

/* Few processes have more threads than fit in the first. */
#define FIRST_ARENAS 8
static _Atomic(struct arena *) first[FIRST_ARENAS];
static _Atomic(struct arena *) more[MAX_ARENAS - FIRST_ARENAS] PTL_BULK;

static _Atomic(struct arena *) *arena_at(unsigned int i)
{
	return i < FIRST_ARENAS ? &first[i] : &more[i - FIRST_ARENAS];
}

/* Of so many bytes, in one of the places up to `end'. */
static bool arena_map(size_t size, unsigned int begin, unsigned int end)
{
	void *p = ptl_sys_mmap(NULL, size, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return false;
	/* Where a filter refuses that, or it cannot be asked for,
	 * ptl_core_child() wipes them. */
	if (ptl_sys_door != PTL_DOOR_NARROW)
		ptl_sys_madvise(p, WIPED_SIZE, MADV_WIPEONFORK);
	for (unsigned int i = begin; i < end; i++) {
		struct arena *none = NULL;

		/* Pairs with arena_get(). */
		if (atomic_compare_exchange_strong_explicit(
			    arena_at(i), &none, p, memory_order_release,
			    memory_order_relaxed))
			return true;
	}
	ptl_sys_munmap(p, size);
	return false;
}

static bool arena_add(void)
{
	return arena_map(ARENA_SIZE, 1, MAX_ARENAS);
}

/* A fork copies them: a child may go on with what its parent was interrupted
 * in. */
static struct stacks *stacks_of(struct arena *arena)
{
	return arena == atomic_load_explicit(arena_at(0),
					     memory_order_relaxed) ?
		       first_stacks :
		       (struct stacks *)(arena + 1);
}

static struct arena *arena_get(unsigned int i)
{
	/* Pairs with arena_map(). */
	return i < MAX_ARENAS ?
		       atomic_load_explicit(arena_at(i), memory_order_acquire) :
		       NULL;
}

static uint32_t tid_of(struct arena *arena, size_t i)
{
	return atomic_load_explicit(&arena->tid[i], memory_order_relaxed);
}

bool ptl_slots_forked(void)
{
	struct arena *arena = arena_get(0);

	return arena &&
	       atomic_load_explicit(&arena->settled, memory_order_relaxed) == 0;
}

bool ptl_slots_forked_child(void)
{
	struct arena *arena = arena_get(0);
	uint32_t none = 0;

	return arena && atomic_compare_exchange_strong_explicit(
				&arena->settled, &none, 0, memory_order_relaxed,
				memory_order_relaxed);
}

void ptl_slots_wipe(void)
{
	struct arena *arena;

	for (unsigned int i = 0; (arena = arena_get(i)); i++)
		memset(arena, 0, WIPED_SIZE);
}

void ptl_slots_settle(void)
{
	struct arena *arena = arena_get(0);

	if (arena)
		atomic_store_explicit(&arena->settled, 1, memory_order_relaxed);
}

int ptl_slots_init(void)
{
	/* Another thread may have been faster. */
	if (!arena_get(0) && !arena_map(WIPED_SIZE, 0, 1) && !arena_get(0))
		return ENOMEM;
	ptl_slots_settle();
	return 0;
}

/* The tid of its thread, TID_UNBORN, or 0. */
static uint32_t owner_of(const struct ptl_slot *slot)
{
	_Atomic uint32_t *owner = ptl_slot_owner(slot);

	return owner ? atomic_load_explicit(owner, memory_order_relaxed) : 0;
}

/* The states of a slot: free (0), between two threads, or one's own.  From
 * thread to thread it goes by way of both. */
static bool may_go(uint32_t from, uint32_t to)
{
	return from == 0 ? to != 0 : from == TID_UNBORN || to == TID_UNBORN;
}

/* Gives it from hand to hand; false: it was not in that one. */
static bool hand_over(struct ptl_slot *slot, uint32_t from, uint32_t to)
{
	_Atomic uint32_t *owner = ptl_slot_owner(slot);

	PTL_CHECK(may_go(from, to));
	return owner && atomic_compare_exchange_strong_explicit(
				owner, &from, to, memory_order_relaxed,
				memory_order_relaxed);
}

static bool take(struct arena *arena, size_t i, uint32_t from, uint32_t tid)
{
	PTL_CHECK(may_go(from, tid));
	/* Pairs with ptl_slot_put(). */
	return atomic_compare_exchange_strong_explicit(
		&arena->tid[i], &from, tid, memory_order_acquire,
		memory_order_relaxed);
}

static struct ptl_slot *slot_of(struct arena *arena, size_t i)
{
	arena->slot[i].owner = &arena->tid[i];
	arena->slot[i].walked = &stacks_of(arena)[i].walked;
	arena->slot[i].desk = &stacks_of(arena)[i].desk;
	return &arena->slot[i];
}

/* The slot that a fork took from this thread: a recorder that a handler
 * interrupted goes on with it. */
static struct ptl_slot *retake(uint32_t tid)
{
	struct arena *arena;

	for (unsigned int a = 0; (arena = arena_get(a)); a++) {
		size_t i =
			((uintptr_t)ptl_thread.slot - (uintptr_t)arena->slot) /
			sizeof(struct ptl_slot);

		if (i < ARENA_SLOTS && take(arena, i, 0, tid))
			return slot_of(arena, i);
	}
	return NULL;
}

/* A slot of that tid. */
static struct ptl_slot *find_own(uint32_t tid)
{
	struct arena *arena;

	for (unsigned int a = 0; (arena = arena_get(a)); a++)
		for (size_t i = 0; i < ARENA_SLOTS; i++)
			if (tid_of(arena, i) == tid)
				return slot_of(arena, i);
	return retake(tid);
}

/* A free one made that of tid. */
static struct ptl_slot *find_free(uint32_t tid)
{
	struct arena *arena;

	for (unsigned int a = 0; (arena = arena_get(a)); a++)
		for (size_t i = 0; i < ARENA_SLOTS; i++)
			if (tid_of(arena, i) == 0 && take(arena, i, 0, tid)) {
				ptl_desk_clear(&stacks_of(arena)[i].desk);
				return slot_of(arena, i);
			}
	return NULL;
}

/* Threads that ended unseen (made by raw clone) leave their slots behind. */
static bool collect_dead(uint32_t pid)
{
	struct arena *arena;
	bool found = false;

	for (unsigned int a = 0; (arena = arena_get(a)); a++)
		for (size_t i = 0; i < ARENA_SLOTS; i++) {
			uint32_t tid = tid_of(arena, i);

			if (tid == 0 || tid == TID_UNBORN ||
			    ptl_sys(SYS_tgkill, pid, tid, 0, 0) != -ESRCH)
				continue;
			/* One alone puts it: the next owner may be in it by
			 * the time another comes. */
			if (!take(arena, i, tid, TID_UNBORN))
				continue;
			ptl_slot_put(slot_of(arena, i));
			found = true;
		}
	return found;
}

/* The first arena must not look like one that a fork wiped. */
static bool grow(void)
{
	return arena_get(0) ? arena_add() : ptl_slots_init() == 0;
}

static struct ptl_slot *find_or_grow(uint32_t tid, uint32_t pid, bool adopt)
{
	struct ptl_slot *slot = adopt ? find_own(tid) : NULL;

	if (!slot)
		slot = find_free(tid);
	if (!slot && ptl_slots_may_call() && (collect_dead(pid) || grow()))
		slot = find_free(tid);
	return slot;
}

/*
 * From here on the slot, which the calling thread owns by now, is its own: a
 * handler that comes finds it (find_own()).  One that came before has taken
 * another: that is kept, for what was recorded goes on there.
 */
static struct ptl_slot *settle_on(struct ptl_slot *slot)
{
	PTL_HANDLER_FENCE();
	if (ptl_slot_owned(ptl_thread.slot) && ptl_thread.slot != slot) {
		ptl_slot_put(slot);
	} else {
		ptl_thread_forget();
		ptl_thread.slot = slot;
	}
	PTL_HANDLER_FENCE();
	return ptl_thread.slot;
}

/* May the calling thread not read the counter?  It may have inherited that from
 * the thread that made it; if the kernel cannot be asked, it is not tried. */
static bool is_denied(void)
{
	return ptl_clock_is_guarded() &&
	       (!ptl_slots_may_call() || !ptl_clock_allowed(PTL_CLOCK_TSC));
}

/* What a thread's own slot says of it. */
static void sign(struct ptl_slot *slot, uint32_t pid)
{
	ptl_thread.no_counter = is_denied();
	slot->pid = pid;
	slot->thread = ptl_ident_thread();
	if (slot->busy == 0 && !slot->attention)
		slot->busy = PTL_SLOT_IDLE;
}

/* Is the slot that thread's, or another task's that has our thread-local
 * storage?  If not, we are in the child of a handler. */
static bool is_settled(const struct ptl_slot *slot, uint32_t tid, uint32_t pid)
{
	uint32_t owner = owner_of(slot);

	return (owner == tid && ptl_thread.tid == tid) ||
	       (owner && (uint32_t)ptl_sys_getpid() == pid);
}

static struct ptl_slot *get(void)
{
	struct ptl_slot *slot;
	uint32_t tid, pid;

	do {
		pid = (uint32_t)ptl_sys_getpid();
		tid = (uint32_t)ptl_sys_gettid();
		slot = find_or_grow(tid, pid, true);
		if (!slot)
			return NULL;
		PTL_HANDLER_FENCE();
		sign(slot, pid);
		ptl_thread.tid = tid;
		slot = settle_on(slot);
	} while (!is_settled(slot, tid, pid));
	return slot;
}

struct ptl_slot *ptl_slot_mine(void)
{
	struct ptl_slot *slot = ptl_thread.slot;

	if (PTL_LIKELY(ptl_slot_owned(slot)))
		return slot;
	return ptl_slots_may_call() ? get() : NULL;
}

struct ptl_slot *ptl_slot_reserve(void)
{
	struct ptl_slot *mine = ptl_slot_mine(), *slot;

	if (!mine)
		return NULL;
	slot = find_or_grow(TID_UNBORN, mine->pid, false);
	if (slot)
		slot->pid = mine->pid;
	return slot;
}

void ptl_slot_enter(struct ptl_slot *slot)
{
	uint32_t tid = (uint32_t)ptl_sys_gettid();

	/* If it is not known: a number no thread has. */
	if (!tid)
		tid = PTL_TID_FOREIGN |
		      ((uint32_t)(uintptr_t)slot >> 6 & 0xffff);
	/* A fork took it back, from us or from our creator. */
	if (!hand_over(slot, TID_UNBORN, tid))
		return;
	PTL_HANDLER_FENCE();
	sign(slot, slot->pid);
	ptl_thread.tid = tid;
	slot = settle_on(slot);
	if ((owner_of(slot) != tid || ptl_thread.tid != tid) &&
	    ptl_slots_may_call())
		get();
}

/*
 * The calling thread has it no more.  A handler before the owner is another
 * takes it again, as find_own() finds it; what the handler records in it is in
 * its chunk, which is found when the thread has ended.
 */
static bool leave(struct ptl_slot *slot, uint32_t tid)
{
	bool left;

	ptl_thread.slot = PTL_NO_SLOT;
	PTL_HANDLER_FENCE();
	left = hand_over(slot, tid, TID_UNBORN);
	PTL_HANDLER_FENCE();
	if (ptl_thread.slot == slot)
		ptl_thread.slot = PTL_NO_SLOT;
	PTL_HANDLER_FENCE();
	ptl_thread_forget();
	return left;
}

void ptl_slot_put(struct ptl_slot *slot)
{
	_Atomic uint32_t *owner = ptl_slot_owner(slot);
	uint32_t tid = owner_of(slot), unborn = TID_UNBORN;

	if (slot == ptl_thread.slot ? !leave(slot, tid) :
				      !hand_over(slot, tid, TID_UNBORN))
		return;
	if (slot->memory && ptl_slots_may_call())
		ptl_nest_free(slot->memory);
	ptl_sums_free(slot);
	memset(slot, 0, sizeof(*slot));
	/* Pairs with take(): the next owner finds it zero. */
	atomic_compare_exchange_strong_explicit(
		owner, &unborn, 0, memory_order_release, memory_order_relaxed);
}

void ptl_slots_each(void (*fn)(struct ptl_slot *slot, void *arg), void *arg)
{
	struct arena *arena;

	/* Of one that is free its thread is done with all it had.
	 * Pairs with ptl_slot_put(). */
	for (unsigned int a = 0; (arena = arena_get(a)); a++)
		for (size_t i = 0; i < ARENA_SLOTS; i++)
			if (atomic_load_explicit(&arena->tid[i],
						 memory_order_acquire) != 0)
				fn(&arena->slot[i], arg);
}

uint32_t ptl_slots_tid(uint64_t thread)
{
	struct arena *arena;

	for (unsigned int a = 0; (arena = arena_get(a)); a++)
		for (size_t i = 0; i < ARENA_SLOTS; i++)
			if (tid_of(arena, i) != 0 &&
			    __atomic_load_n(&arena->slot[i].thread,
					    __ATOMIC_RELAXED) == thread)
				return tid_of(arena, i);
	return 0;
}

struct holders {
	const struct ptl_map *map;
	unsigned int count;
};

static void count_holder(struct ptl_slot *slot, void *arg)
{
	struct holders *holders = arg;

	/* The owner stores them plainly; the barrier made them visible. */
	if (slot != ptl_thread.slot &&
	    __atomic_load_n(&slot->busy, PTL_WATCH_ORDER) > PTL_SLOT_IDLE)
		holders->count++;
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++)
		if (__atomic_load_n(&slot->stream[i].map, PTL_WATCH_ORDER) ==
		    holders->map)
			holders->count++;
}

bool ptl_slots_quiet(const struct ptl_map *map)
{
	struct holders holders = {map, 0};

	if (!ptl_wait_barrier())
		return false;
	ptl_slots_each(count_holder, &holders);
	return holders.count == 0;
}

bool ptl_slots_is_child(const struct ptl_slot *slot, uint32_t pid)
{
	uint64_t its;

	if (pid != slot->pid || pid != 1)
		return pid != slot->pid;
	/* Each pid namespace has a process 1. */
	its = ptl_pidns();
	return ptl_ident_pidns && its && its != ptl_ident_pidns;
}
