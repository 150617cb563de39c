/* SPDX-License-Identifier: MIT */
/*
 * The numbers stand in the stream, each in a place that it shares with others.
 * What was in the place of a child just after it was made, if it was not its
 * own number, and still is there when it is reaped, says that it never joined;
 * anything else says nothing.  Nor is anything known of a child that may have
 * come and been overwritten before its parent looked: two or more have joined
 * since the parent began to make it.  The last few children are remembered, in
 * private memory: of more than that nothing is known.
 */
#include "core/process/children.h"

#include "core/process/caller.h"
#include "core/record/attached.h"
#include "core/record/slots.h"
#include "core/shm/bridge.h"
#include "core/shm/registry.h"
#include "core/shm/untraced.h"
#include "core/stream/bridges.h"
#include "core/sys/ident.h"
#include "core/sys/pidns.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#define MAX_CHILDREN 16

static struct ptl_child children[MAX_CHILDREN] PTL_BULK;

/* Beside them: whoever forks writes to one page, not to two that its child
 * still has. */
static _Atomic uint32_t nr_made PTL_BULK;

static _Atomic uint32_t *place(struct ptl_map *map, uint32_t pid)
{
	return &map->log->came[pid % PTL_SHM_CAME];
}

/* One that was expected has come, or will not.  False: it was not expected in
 * this segment. */
static bool born(struct ptl_shm_head *head)
{
	uint32_t unborn =
		atomic_load_explicit(&head->unborn, memory_order_relaxed);

	/* Pairs with unborn() in bridges_ends.c, which looks at this count, and
	 * then at how many have joined. */
	while (unborn && !atomic_compare_exchange_weak_explicit(
				 &head->unborn, &unborn, unborn - 1,
				 memory_order_release, memory_order_relaxed))
		;
	return unborn;
}

/* The entry of that pid, or a free one if it is 0; NULL: there is none. */
static _Atomic uint32_t *find_starting(struct ptl_map *map, uint32_t pid)
{
	_Atomic uint32_t *starting = map->log->starting;

	for (unsigned int i = 0; i < PTL_SHM_STARTING; i++)
		if (atomic_load_explicit(&starting[i], memory_order_relaxed) ==
		    pid)
			return &starting[i];
	return NULL;
}

void ptl_children_executes(struct ptl_map *map, uint32_t pid, const char *path)
{
	_Atomic uint32_t *entry = find_starting(map, pid);
	uint32_t nobody = 0;

	if (!entry && path) {
		entry = find_starting(map, 0);
		/* A process that loses it to another remains unknown. */
		if (!entry || !atomic_compare_exchange_strong_explicit(
				      entry, &nobody, pid, memory_order_relaxed,
				      memory_order_relaxed))
			return;
	}
	if (path)
		ptl_strcopy(map->log->program[entry - map->log->starting],
			    PTL_ENTRY_PROGRAM, path);
	else if (entry)
		atomic_store_explicit(entry, 0, memory_order_relaxed);
}

void ptl_children_execs(const char *path)
{
	for (uint64_t left = ptl_attached_active(); left; left &= left - 1) {
		struct ptl_map *map =
			ptl_attached_map((unsigned int)__builtin_ctzll(left));

		if (map)
			ptl_children_executes(map, ptl_attached.ident.pid,
					      path);
	}
}

bool ptl_children_crossed(const struct ptl_shm_ident *who)
{
	for (uint64_t left = ptl_attached_active(); left; left &= left - 1) {
		struct ptl_map *map =
			ptl_attached_map((unsigned int)__builtin_ctzll(left));

		if (map && !map->bridge &&
		    ptl_bridges_state(map, who) > PTL_MEMBER_HANDED)
			return true;
	}
	return false;
}

void ptl_children_settle(struct ptl_map *map, uint32_t pid, bool came)
{
	_Atomic uint32_t *entry = find_starting(map, pid);
	char path[PTL_ENTRY_PROGRAM];

	if (!entry)
		return;
	ptl_strcopy(path, sizeof(path),
		    map->log->program[entry - map->log->starting]);
	atomic_store_explicit(entry, 0, memory_order_relaxed);
	if (!came)
		ptl_untraced_add(map, path, PTL_NOT_STARTED);
}

void ptl_children_reaped(const struct ptl_shm_ident *who)
{
	for (uint64_t left = ptl_attached_active(); left; left &= left - 1) {
		struct ptl_map *map =
			ptl_attached_map((unsigned int)__builtin_ctzll(left));

		if (map && find_starting(map, who->pid))
			ptl_children_settle(map, who->pid,
					    ptl_children_crossed(who));
	}
}

void ptl_children_came(struct ptl_map *map, uint32_t pid, bool expected)
{
	/* The child's entry is there.  Pairs with nr_joined() in processes.c.
	 */
	atomic_fetch_add_explicit(&map->head->processes, 1,
				  memory_order_release);
	/* Pairs with look(): a parent that sees a number there sees the count
	 * of all that came before it. */
	atomic_exchange_explicit(place(map, pid), pid, memory_order_acq_rel);
	ptl_children_executes(map, pid, NULL);
	/* Pairs with take_counts(). */
	if (expected && !born(map->head) && map->bridge)
		atomic_fetch_add_explicit(&map->head->crossed, 1,
					  memory_order_release);
}

/* The next stream that children inherit, of those that are left; NULL: none.
 * While the caller is marked as inside. */
static struct ptl_map *next_handed_on(uint64_t *left)
{
	const struct ptl_shm_entry *entry = ptl_attached_entry();
	struct ptl_map *map = NULL;

	for (; *left && !map; *left &= *left - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(*left);

		if (ptl_ref_inherited(atomic_load_explicit(
			    &entry->refs[i], memory_order_relaxed)))
			map = ptl_attached_map(i);
	}
	return map;
}

void ptl_children_expect(bool child)
{
	struct ptl_slot *slot = ptl_slot_mine();
	uint64_t left = ptl_attached_active();
	struct ptl_map *map;
	bool mark;

	if (!slot)
		return;
	mark = ptl_slot_mark(slot);
	while ((map = next_handed_on(&left)) != NULL) {
		if (!child) {
			born(map->head);
			continue;
		}
		atomic_store_explicit(&map->head->unborn_since, ptl_boottime(),
				      memory_order_relaxed);
		atomic_fetch_add_explicit(&map->head->unborn, 1,
					  memory_order_relaxed);
	}
	if (mark)
		ptl_slot_unmark(slot);
}

struct sight {
	uint64_t stream;
	uint32_t number; /* what stands in the place */
	uint32_t joined; /* how many ever have */
};

/* In the place of that number.  False: there is no stream that has it. */
static bool look(uint32_t pid, struct sight *sight)
{
	struct ptl_slot *slot = ptl_slot_mine();
	uint64_t left = ptl_attached_active();
	struct ptl_map *map;
	bool mark;

	if (!slot)
		return false;
	mark = ptl_slot_mark(slot);
	map = next_handed_on(&left);
	if (map) {
		sight->stream = map->id;
		/* Pairs with ptl_children_came(). */
		sight->number = atomic_load_explicit(place(map, pid),
						     memory_order_acquire);
		sight->joined = atomic_load_explicit(&map->head->processes,
						     memory_order_relaxed);
	}
	if (mark)
		ptl_slot_unmark(slot);
	return map;
}

uint32_t ptl_children_joined(void)
{
	struct sight sight;

	return look(0, &sight) ? sight.joined : 0;
}

bool ptl_children_has_come(uint32_t pid)
{
	struct sight sight;

	return look(pid, &sight) && sight.number == pid;
}

void ptl_children_made(uint32_t pid, uint32_t since, const char *path,
		       const struct ptl_shm_parent *parent)
{
	struct ptl_child *child;
	struct sight sight;

	if (!look(pid, &sight) || sight.number == pid ||
	    sight.joined - since > 1)
		return;
	child = &children[atomic_fetch_add_explicit(&nr_made, 1,
						    memory_order_relaxed) %
			  MAX_CHILDREN];
	child->before = sight.number;
	child->stream = sight.stream;
	if (path)
		child->parent = *parent;
	child->called = ptl_caller_when();
	ptl_strcopy(child->path, sizeof(child->path), path ? path : "");
	atomic_store_explicit(&child->pid, pid, memory_order_relaxed);
}

/* Children of ours are in another pid namespace: they join by other numbers. */
static bool are_elsewhere(void)
{
	struct ptl_kstat st;

	return ptl_sys(SYS_newfstatat, AT_FDCWD,
		       "/proc/self/ns/pid_for_children", &st, 0) != 0 ||
	       st.st_ino != ptl_pidns();
}

enum ptl_came ptl_children_came_of(uint32_t pid, struct ptl_child *reaped)
{
	struct ptl_child *child = children;
	struct sight sight;

	if (atomic_load_explicit(&nr_made, memory_order_relaxed) == 0)
		return PTL_CAME_PERHAPS;
	while (child < children + MAX_CHILDREN &&
	       atomic_load_explicit(&child->pid, memory_order_relaxed) != pid)
		child++;
	if (child == children + MAX_CHILDREN)
		return PTL_CAME_PERHAPS;
	atomic_store_explicit(&child->pid, 0, memory_order_relaxed);
	if (!look(pid, &sight) || sight.stream != child->stream ||
	    sight.number == pid)
		return PTL_CAME_PERHAPS;
	if (are_elsewhere())
		return PTL_CAME_ELSEWHERE;
	/* A copy has an entry of its own, if it did not come. */
	if (sight.number != child->before || !child->path[0])
		return PTL_CAME_PERHAPS;
	*reaped = *child;
	return PTL_CAME_NEVER;
}

bool ptl_children_traceable(uint64_t file, bool note)
{
	uint64_t left = ptl_attached_active();
	_Atomic uint64_t *place;
	struct ptl_slot *slot;
	struct ptl_map *map;
	bool mark, is = false;

	/* Of a fork that we have not seen the first event is to tell, by the
	 * slot that the child has not. */
	if (ptl_slots_forked())
		return false;
	slot = ptl_slot_mine();
	if (!slot)
		return false;
	mark = ptl_slot_mark(slot);
	map = next_handed_on(&left);
	if (map) {
		place = &map->head->traceable[file % PTL_SHM_TRACEABLE];
		if (note)
			atomic_store_explicit(place, file,
					      memory_order_relaxed);
		is = atomic_load_explicit(place, memory_order_relaxed) == file;
	}
	if (mark)
		ptl_slot_unmark(slot);
	return is;
}
