/* SPDX-License-Identifier: MIT */
/*
 * Fork.  The child announces itself: it alone knows both pids whichever way
 * it was made (forkpty(), daemon() and raw clone show the parent no child),
 * and its announcement cannot come after its first event.
 */
#include "core/process/fork.h"

#include "core/flush/thread.h"
#include "core/format/sysevents.h"
#include "core/process/birth.h"
#include "core/process/caller.h"
#include "core/process/heir.h"
#include "core/process/children.h"
#include "core/process/mourn.h"
#include "core/process/vfork.h"
#include "core/record/announced.h"
#include "core/record/attached.h"
#include "core/record/emit.h"
#include "core/record/program.h"
#include "core/record/slots.h"
#include "core/shm/registry.h"
#include "core/stream/stream.h"
#include "core/sys/ident.h"
#include "core/sys/pidns.h"
#include "core/sys/syscall.h"
#include "core/sys/usage.h"
#include "core/unwind/unwind.h"

/* What a child that this thread makes is to get; NULL: it is not foreseen. */
static __thread struct ptl_heritage *heritage
	__attribute__((tls_model("initial-exec")));

/*
 * A copy of `busy' of a thread that forks in a handler which interrupted its
 * recording (forks_inside), for a fork wipes the slot.  Not thread-local, since
 * there is little such memory.  If two threads with the same place do so at
 * once, one's child is taken for idle.
 */
static struct {
	uint32_t tid;
	uint64_t busy;
} inside[16] PTL_SELDOM;

/*
 * What the parent's fork() returned, of a child in another namespace; 0: not
 * known.  Of one that was made by no fork of ours the parent is found, too.
 */
static uint32_t number_there(struct ptl_shm_parent *parent,
			     const struct ptl_shm_ident *child)
{
	struct ptl_birth birth;

	if (!ptl_birth_is_elsewhere(parent, child) || !ptl_pidns_birth(&birth))
		return 0;
	if (!parent->pid)
		parent->pid = parent->tid = birth.parent;
	/* Another may have adopted it already: one of the same namespace shows
	 * the same number. */
	return (birth.pidns ? (uint32_t)birth.pidns == parent->pidns :
			      birth.parent == parent->pid) ?
		       birth.child :
		       0;
}

/* The streams in which it is recorded, all of them mapped. */
static uint64_t map_told(void)
{
	uint64_t told = ptl_attached_active();

	ptl_attached_unmapped();
	return told;
}

/* Entry: the child's, or NULL; it says what is not recorded yet. */
static void announce(struct ptl_shm_entry *entry, uint64_t told,
		     struct ptl_shm_parent *parent,
		     const struct ptl_shm_ident *child)
{
	uint64_t when = entry ? entry->called : ptl_caller_when();
	struct ptl_slot *slot = ptl_slot_mine();
	uint32_t number;
	bool mark;

	/* A thread without a clock leaves it to other processes. */
	if (!slot || ptl_thread.no_counter)
		return;
	number = number_there(parent, child);
	if (entry && number)
		atomic_store_explicit(&entry->forked, number,
				      memory_order_relaxed);
	mark = ptl_slot_mark(slot);
	for (uint64_t left = told; left; left &= left - 1) {
		struct ptl_map *map =
			ptl_attached_map((unsigned int)__builtin_ctzll(left));

		/* What cannot be recorded here is left to other processes. */
		if (!map)
			continue;
		ptl_birth_tell(map, parent, child, when, number);
		if (entry)
			atomic_fetch_and_explicit(&entry->unannounced,
						  ~(left & -left),
						  memory_order_relaxed);
	}
	if (mark)
		ptl_slot_unmark(slot);
}

/* The child could not do so itself if the stream began to run since it called
 * fork. */
static void introduce(const struct ptl_shm_parent *parent, uint64_t told)
{
	struct ptl_emit_as as = {
		.pid = parent->pid,
		.tid = parent->tid,
		.thread = parent->thread,
		.image = parent->image,
		.pidns = parent->pidns,
	};

	for (; told; told &= told - 1) {
		struct ptl_map *map =
			ptl_attached_map((unsigned int)__builtin_ctzll(told));

		if (map && !ptl_program_is_told(map))
			ptl_program_tell(map, &as);
	}
}

/* Where no fork is recorded.  The child has no other thread yet, and in that of
 * a vfork we are still taken for its parent: so it is said who it is. */
static void introduce_child(uint64_t told, const struct ptl_shm_parent *parent,
			    const struct ptl_shm_ident *child)
{
	struct ptl_emit_as as = {
		.pid = child->pid,
		.tid = child->pid,
		.thread = parent->thread,
		.image = atomic_load_explicit(&ptl_attached_entry()->image,
					      memory_order_relaxed),
		.pidns = (uint32_t)child->pidns,
	};

	ptl_program_forked(told, &as,
			   ptl_birth_is_elsewhere(parent, child) ? 0 :
								   parent->pid);
}

void ptl_fork_born(void)
{
	struct ptl_shm_entry *entry = ptl_attached_entry();
	struct ptl_shm_parent parent = entry->parent;

	announce(entry,
		 map_told() & atomic_load_explicit(&entry->unannounced,
						   memory_order_relaxed),
		 &parent, &ptl_attached.ident);
}

void ptl_fork_comes(const void *addr)
{
	const struct ptl_slot *slot = ptl_thread.slot;

	/* The birth is told in our name. */
	ptl_program_tell_all(ptl_attached_active());
	ptl_caller_comes(addr);
	ptl_thread.forks_inside =
		ptl_slot_owned(slot) && slot->busy > PTL_SLOT_IDLE;
	if (ptl_thread.forks_inside) {
		inside[ptl_thread.tid % 16].tid = ptl_thread.tid;
		inside[ptl_thread.tid % 16].busy = slot->busy;
	}
}

/* Of those streams the ones that a child inherits: in them it is announced by
 * itself, before all else that it records; in the others by its parent. */
static uint64_t inherited_of(const struct ptl_shm_entry *entry, uint64_t bits)
{
	uint64_t inherited = 0;

	for (; bits; bits &= bits - 1)
		if (ptl_ref_inherited(atomic_load_explicit(
			    &entry->refs[__builtin_ctzll(bits)],
			    memory_order_relaxed)))
			inherited |= bits & -bits;
	return inherited;
}

void ptl_fork_copying(struct ptl_heritage *copy)
{
	struct ptl_shm_parent parent;

	ptl_heritage_leave(copy);
	copy->entry.called = ptl_caller_when();
	parent = ptl_caller_parent(&copy->entry, ptl_caller_addr());
	ptl_heir_expect(copy, &parent);
	copy->outer = heritage;
	heritage = copy;
}

void ptl_fork_copied(const struct ptl_heritage *copy, uint32_t pid)
{
	heritage = copy->outer;
	ptl_heir_made(copy, pid);
	if (pid)
		ptl_fork_made(pid);
}

static void made(uint32_t pid, uint64_t told)
{
	struct ptl_shm_ident child = ptl_attached.ident;
	struct ptl_shm_parent parent;

	if (!told)
		return;
	child.pid = pid;
	parent = ptl_caller_parent(ptl_attached_entry(), ptl_caller_addr());
	announce(NULL, told, &parent, &child);
}

void ptl_fork_made(uint32_t pid)
{
	uint64_t active = ptl_attached_active();

	made(pid, active & ~inherited_of(ptl_attached_entry(), active));
}

void ptl_fork_made_untraced(uint32_t pid)
{
	made(pid, map_told());
}

/* Not by its number, but by that of others that have come since? */
static bool is_unseen(uint32_t pid)
{
	uint32_t at = 0;
	uint64_t key;

	return !ptl_children_has_come(pid) &&
	       !ptl_registry_next_of(&ptl_attached.registry, pid, &at, &key);
}

void ptl_fork_reaped(const struct ptl_shm_ident *child,
		     const struct ptl_end *end)
{
	struct ptl_slot *slot = ptl_thread.slot;
	struct ptl_shm_parent parent;

	if (!slot->vforks || !is_unseen(child->pid))
		return;
	parent = ptl_caller_parent(ptl_attached_entry(), slot->vforks);
	slot->vforks = NULL;
	ptl_mourn_unseen(&parent, slot->called, child, "", end);
}

/*
 * When the handler returns, the call that it interrupted goes on in the child,
 * too: to end in a record of its parent's, or, if we unmap the stream, in
 * nothing.  A fork by system call is not foreseen; it must not do that.
 */
static void part_maps(void)
{
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++) {
		struct ptl_map *map = atomic_load_explicit(
			&ptl_attached.map[i], memory_order_relaxed);

		if (map)
			map = ptl_map_part(map);
		if (map)
			atomic_store_explicit(&ptl_attached.map[i], map,
					      memory_order_relaxed);
	}
}

static void tell_birth(uint64_t told, const struct ptl_shm_parent *parent)
{
	struct ptl_shm_parent who = *parent;

	if (!told)
		return;
	introduce(&who, told);
	announce(ptl_attached_entry(), told, &who, &ptl_attached.ident);
	introduce_child(told, &who, &ptl_attached.ident);
}

/* The streams that the parent could not map, and the child can: nobody else
 * tells of a child that records its own end. */
static uint64_t unmapped_there(void)
{
	const struct ptl_shm_entry *entry = ptl_attached_entry();

	if (!(atomic_load_explicit(&entry->unannounced, memory_order_relaxed) &
	      ptl_attached_active()))
		return 0;
	return map_told() &
	       atomic_load_explicit(&entry->unannounced, memory_order_relaxed);
}

void ptl_fork_child(void)
{
	struct ptl_slot *before = ptl_thread.slot, *slot;
	struct ptl_heritage unforeseen, *from = heritage;
	struct ptl_shm_parent parent;
	bool expected = from;
	uint64_t told;

	if (!ptl_slots_forked())
		return;
	ptl_slots_settle();
	ptl_unwind_forked();
	if (ptl_thread.forks_inside)
		part_maps();
	ptl_thread_forget();
	/* What the parent controls is not ours. */
	ptl_streams_forked();
	ptl_flush_thread_forked();
	ptl_usage_forked();
	ptl_announced_forked();
	if (!from)
		ptl_heritage_find(from = &unforeseen);
	heritage = NULL;
	parent = ptl_caller_parent(&from->entry, ptl_caller_addr());
	slot = ptl_slot_mine();
	/* The recorder is interrupted here, too. */
	if (ptl_thread.forks_inside && slot == before &&
	    inside[parent.tid % 16].tid == parent.tid)
		slot->busy = inside[parent.tid % 16].busy;
	ptl_thread.forks_inside = false;
	told = ptl_heritage_mapped(from);
	if (expected)
		told = inherited_of(&from->entry, told);
	/* First: if we are killed, a process that finds the entry records for
	 * us. */
	ptl_heir_born(from, &parent);
	tell_birth(told, &parent);
	tell_birth(unmapped_there() & ~told, &parent);
	ptl_heir_joined(expected);
}

struct ptl_announced *ptl_fork_vforked(const struct ptl_emit_as *as,
				       uint32_t pid)
{
	struct ptl_slot *slot = ptl_thread.slot;
	struct ptl_shm_ident child = ptl_attached.ident;
	struct ptl_shm_parent parent = {
		.pid = as->pid,
		.tid = as->tid,
		.image = as->image,
		.pidns = as->pidns,
		.thread = as->thread,
		.addr = (uintptr_t)ptl_caller_addr(),
	};
	struct ptl_shm_entry *entry;

	/* First: a handler that records shall not announce it, too. */
	struct ptl_announced *announced = ptl_announced_add(slot, pid);

	slot->vforks = NULL;
	child.pid = pid;
	child.born = ptl_boottime();
	/* As in ptl_ident_child(). */
	if ((uint32_t)ptl_sys_getppid() != as->pid)
		child.pidns = ptl_pidns();
	announced->pidns = (uint32_t)child.pidns;
	entry = ptl_vfork_begins(&child, &parent, slot->executes);
	if (entry)
		announced->at =
			1 + ptl_registry_at(&ptl_attached.registry, entry);
	announce(entry, map_told(), &parent, &child);
	introduce_child(ptl_attached_active(), &parent, &child);
	return announced;
}

PTL_COLD void ptl_fork_announce(void)
{
	struct ptl_slot *slot = ptl_thread.slot;
	struct ptl_emit_as as;
	uint32_t pid;

	if (ptl_slots_forked() || !ptl_slots_may_call())
		return;
	pid = (uint32_t)ptl_sys_getpid();
	if (!ptl_slots_is_child(slot, pid) || ptl_announced_find(slot, pid))
		return;
	ptl_owner_as(slot, &as);
	ptl_fork_vforked(&as, pid);
}

void ptl_fork_vfork_ends(void)
{
	uint32_t pid = (uint32_t)ptl_sys_getpid();
	struct ptl_announced *announced =
		ptl_announced_find(ptl_thread.slot, pid);
	struct ptl_shm_ident child = {.pid = pid};

	/* If it was not announced there is nothing of it. */
	if (!announced)
		return;
	child.pidns = announced->pidns;
	ptl_vfork_ends(&child, announced->at);
}
