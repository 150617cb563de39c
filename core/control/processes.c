/* SPDX-License-Identifier: MIT */
/*
 * Walking the registry.  Every entry may change while it is looked at: what is
 * done to it is done only if its key is still the one that was judged.
 */
#include "core/control/processes.h"

#include "core/buffer/loss.h"
#include "core/process/children.h"
#include "core/process/mourn.h"
#include "core/record/attached.h"
#include "core/shm/allproc.h"
#include "core/shm/life.h"
#include "core/shm/registry.h"
#include "core/shm/segment.h"
#include "core/shm/untraced.h"
#include "core/stream/bridges.h"
#include "core/sys/ident.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include <sys/wait.h>

/* How often to begin again because a process has joined meanwhile. */
#define JOIN_TRIES 100

#define UNUSED_NS UINT64_C(1000000000)
#define FOUND_NS UINT64_C(1000000000)

bool ptl_processes_foreign(uint32_t uid)
{
	return uid != ptl_sys_geteuid();
}

/* Of one that another process has found: has that process ended, too?  If
 * nothing tells it is given a second. */
static bool is_left_to_us(int dir, struct ptl_shm_entry *entry, uint64_t key)
{
	uint32_t former = ptl_key_pid(key);
	uint64_t now, since = 0;

	if (ptl_life_is_over(dir, key))
		return true;
	if (former >> PTL_MOURNER_BITS == ptl_mourner() >> PTL_MOURNER_BITS)
		return !ptl_tid_alive(
			(int)(former & ((1u << PTL_MOURNER_BITS) - 1)));
	if (ptl_key_life(key) != PTL_LIFE_NONE)
		return false;
	now = ptl_boottime();
	if (atomic_compare_exchange_strong_explicit(&entry->look_again, &since,
						    now, memory_order_relaxed,
						    memory_order_relaxed))
		return false;
	return now - since > FOUND_NS;
}

/* Made by a controller for a process without the library, and let go since. */
static bool is_unused(const struct ptl_shm_entry *entry, uint64_t key)
{
	if (ptl_key_state(key) != PTL_KEY_AWAITED ||
	    ptl_registry_says(entry, PTL_ENTRY_LOADED) ||
	    ptl_boottime() - entry->ident.born < UNUSED_NS)
		return false;
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++)
		if (atomic_load_explicit(&entry->refs[i], memory_order_relaxed))
			return false;
	return true;
}

/* The parent may be about to record how it died: not the first time. */
static bool is_missing(struct ptl_shm_entry *entry)
{
	return atomic_fetch_or_explicit(&entry->flags, PTL_ENTRY_MISSING,
					memory_order_relaxed) &
	       PTL_ENTRY_MISSING;
}

/* Does it look as if it was between two programs, and has the second one ended,
 * to which it went over by a bridge? */
static bool has_ended_there(const struct ptl_registry *reg, int dir,
			    const struct ptl_shm_entry *entry, uint64_t key)
{
	struct ptl_shm_ident who = ptl_registry_ident(entry, key);
	bool ended = false;

	if (!atomic_load_explicit(&entry->exec_since, memory_order_relaxed) ||
	    who.pidns == ptl_ident_our_pidns() || !ptl_life_is_over(dir, key))
		return false;
	for (unsigned int i = 0; i < PTL_MAX_STREAMS && !ended; i++) {
		uint64_t ref = atomic_load_explicit(&entry->refs[i],
						    memory_order_relaxed);
		struct ptl_map *map;

		if (!ref || ptl_map_attach(dir, reg->uid, ptl_ref_stream(ref),
					   &map) != 0)
			continue;
		ended = ptl_bridges_state(map, &who) == PTL_MEMBER_ENDED;
		ptl_map_detach(map);
	}
	return ended;
}

bool ptl_processes_check(const struct ptl_registry *reg, int dir,
			 struct ptl_shm_entry *entry, uint64_t key)
{
	int status = -1;

	if (ptl_key_state(key) == PTL_KEY_CLAIMED) {
		if (ptl_life_is_over(dir, key))
			ptl_registry_free(reg, entry, key);
		return false;
	}
	if (ptl_key_state(key) == PTL_KEY_FOUND) {
		/* Else its end will be recorded: it is not yet. */
		if (!is_left_to_us(dir, entry, key))
			return true;
		ptl_mourn(reg, dir, entry, key, PTL_END(-1));
		return false;
	}
	switch (ptl_life_of(dir, entry, key, &status)) {
	case PTL_LIFE_ALIVE:
		if (has_ended_there(reg, dir, entry, key)) {
			ptl_mourn(reg, dir, entry, key, PTL_END(-1));
			return false;
		}
		if (is_unused(entry, key))
			ptl_registry_free(reg, entry, key);
		return true;
	case PTL_LIFE_ZOMBIE:
		/* Without its status leave it to the parent. */
		if (status >= 0)
			ptl_mourn(reg, dir, entry, key, PTL_END(status));
		return false;
	case PTL_LIFE_GONE:
		if (is_missing(entry))
			ptl_mourn(reg, dir, entry, key, PTL_END(-1));
		return false;
	}
	return false;
}

/* Of a process in another user's registry: its end for our stream alone. */
static bool check_stranger(const struct ptl_registry *reg, int dir,
			   struct ptl_shm_entry *entry, uint64_t key,
			   unsigned int i)
{
	struct ptl_shm_ident who = ptl_registry_ident(entry, key);
	int status = -1;
	enum ptl_life life;

	if (ptl_key_state(key) != PTL_KEY_LISTED &&
	    ptl_key_state(key) != PTL_KEY_AWAITED)
		return false;
	life = ptl_life_of(dir, entry, key, &status);
	if (life == PTL_LIFE_ALIVE)
		return true;
	if (!ptl_registry_says(entry, PTL_ENTRY_LOADED) ||
	    ptl_registry_says(entry, PTL_ENTRY_ENDED))
		return false;
	/* As in ptl_processes_check(). */
	if (life == PTL_LIFE_ZOMBIE ? status >= 0 : is_missing(entry))
		ptl_mourn_in(dir, reg->uid, entry, &who, i, PTL_END(status));
	return false;
}

/* The living processes that the stream traces; map: of it, or NULL. */
static unsigned int count(const struct ptl_registry *reg, int dir, uint64_t id,
			  struct ptl_map *map)
{
	bool foreign = ptl_processes_foreign(reg->uid);
	struct ptl_shm_entry *entry;
	unsigned int live = 0;
	uint32_t at = 0;
	uint64_t key;

	while ((entry = ptl_registry_next(reg, &at, &key)) != NULL) {
		int i = ptl_registry_index(entry, id);
		bool ended;

		if (i < 0)
			continue;
		if (map)
			ptl_loss_missed(map, entry, (unsigned int)i);
		ended = ptl_registry_says(entry, PTL_ENTRY_ENDED);
		if ((foreign ? check_stranger(reg, dir, entry, key,
					      (unsigned int)i) :
			       ptl_processes_check(reg, dir, entry, key)) &&
		    !ended)
			live++;
	}
	return live;
}

/* How many have ever joined: acquire, for the look that follows.
 * Pairs with ptl_children_came(). */
static uint32_t nr_joined(const struct ptl_map *map)
{
	return atomic_load_explicit(&map->head->processes,
				    memory_order_acquire);
}

int ptl_processes_open(int dir, uint32_t uid, struct ptl_registry *reg)
{
	*reg = ptl_attached.registry;
	return reg->shm && ptl_registry_is_in(reg, dir, uid) ?
		       0 :
		       ptl_registry_open(dir, uid, false, reg);
}

void ptl_processes_close(struct ptl_registry *reg)
{
	if (reg->shm != ptl_attached.registry.shm)
		ptl_registry_close(reg);
}

/* A look at all can miss both a child that comes and its parent that goes.  If
 * they come all the time, there are some. */
static unsigned int count_all(const struct ptl_registry *reg, int dir,
			      uint64_t id, struct ptl_map *map,
			      unsigned int *unborn)
{
	uint32_t joined = 0;
	unsigned int live;

	for (unsigned int tries = 0; tries < JOIN_TRIES; tries++) {
		if (map)
			joined = nr_joined(map);
		live = count(reg, dir, id, map);
		if (map && live == 0)
			live = ptl_bridges_live(map);
		*unborn = map && live == 0 ? ptl_bridges_unborn(map) : 0;
		live += *unborn;
		if (!map || live || joined == nr_joined(map))
			return live;
	}
	return 1;
}

unsigned int ptl_processes_live(uint32_t uid, uint64_t id)
{
	unsigned int unborn;

	return ptl_processes_expected(uid, id, &unborn);
}

unsigned int ptl_processes_expected(uint32_t uid, uint64_t id,
				    unsigned int *unborn)
{
	int dir = ptl_rundir_open(uid, false);
	struct ptl_registry reg;
	struct ptl_map *map;
	unsigned int live;
	int err;

	*unborn = 0;
	/* Whether a process lives is not known: then one does. */
	if (dir < 0)
		return dir != -ENOENT;
	err = ptl_processes_open(dir, uid, &reg);
	if (err) {
		ptl_sys_close(dir);
		return !ptl_segment_is_gone(err);
	}
	if (ptl_map_attach(dir, uid, id, &map) != 0)
		map = NULL;
	live = count_all(&reg, dir, id, map, unborn);
	if (map)
		ptl_map_detach(map);
	ptl_processes_close(&reg);
	ptl_sys_close(dir);
	return live;
}

void ptl_processes_unname(uint32_t uid, uint64_t id)
{
	int dir = ptl_rundir_open(uid, false);
	struct ptl_shm_entry *entry;
	struct ptl_registry reg;
	uint32_t at = 0;
	uint64_t key;

	if (dir < 0)
		return;
	if (ptl_processes_open(dir, uid, &reg) == 0) {
		/* First: a process that comes now does not find it. */
		ptl_allproc_unname(&reg, id);
		while ((entry = ptl_registry_next(&reg, &at, &key)) != NULL) {
			int i = ptl_registry_index(entry, id);

			if (i >= 0)
				ptl_registry_drop(entry, (unsigned int)i, id);
		}
		ptl_processes_close(&reg);
	}
	ptl_sys_close(dir);
}

/* The directory that our registry is in; -1: it cannot be had, which is not the
 * end of our streams.  After a mount there may be another. */
static int open_own_dir(void)
{
	const struct ptl_registry *reg = &ptl_attached.registry;
	int dir = ptl_rundir_open(reg->uid, false);

	if (dir < 0)
		return -1;
	if (ptl_registry_is_in(reg, dir, reg->uid))
		return dir;
	ptl_sys_close(dir);
	return -1;
}

static void close_own_dir(int dir)
{
	if (dir >= 0)
		ptl_sys_close(dir);
}

/* Is it the entry of a child that was made in ident's pid namespace, and to
 * whose parent fork() returned ident's pid? */
static bool is_forked_as(const struct ptl_shm_entry *entry, uint64_t key,
			 const struct ptl_shm_ident *ident)
{
	/* Relaxed: the child is dead.  If another process has the entry by now,
	 * it has another key. */
	return (ptl_key_state(key) == PTL_KEY_LISTED ||
		ptl_key_state(key) == PTL_KEY_AWAITED) &&
	       entry->parent.pidns == (uint32_t)ident->pidns &&
	       atomic_load_explicit(&entry->forked, memory_order_relaxed) ==
		       ident->pid;
}

/* A child without an entry of that number: it was in another pid namespace. */
static void end_elsewhere(const struct ptl_shm_ident *ident,
			  const struct ptl_end *end)
{
	const struct ptl_registry *reg = &ptl_attached.registry;
	struct ptl_shm_entry *entry;
	uint32_t at = 0;
	uint64_t key;
	int dir;

	/* The number may have been given away again. */
	if (ptl_proc_permission((int)ident->pid) != ESRCH)
		return;
	dir = open_own_dir();
	while ((entry = ptl_registry_next(reg, &at, &key)) != NULL)
		if (is_forked_as(entry, key, ident))
			ptl_mourn(reg, dir, entry, key, end);
	close_own_dir(dir);
}

void ptl_processes_ended(const struct ptl_shm_ident *ident,
			 const struct ptl_end *end, bool elsewhere)
{
	const struct ptl_registry *reg = &ptl_attached.registry;
	struct ptl_shm_entry *entry;
	bool is_here = false;
	uint32_t at = 0;
	uint64_t key;
	int dir;

	/* Nearly all have recorded their end themselves. */
	while ((entry = ptl_registry_next_of(reg, ident->pid, &at, &key)) !=
	       NULL) {
		struct ptl_shm_ident found = ptl_registry_ident(entry, key);

		if (found.pidns != ident->pidns)
			continue;
		is_here = true;
		/* The pid may have been given away again since it was
		 * reaped. */
		if (ptl_ident_life(&found, NULL) == PTL_LIFE_ALIVE)
			continue;
		dir = open_own_dir();
		/* The process has left, and others have its byte. */
		if (!ptl_registry_says(entry, PTL_ENTRY_LEFT) ||
		    ptl_life_is_over(dir, key))
			ptl_mourn(reg, dir, entry, key, end);
		close_own_dir(dir);
	}
	/* A child that was killed could not record its end itself. */
	if (!is_here && (elsewhere || WIFSIGNALED(end->status)))
		end_elsewhere(ident, end);
}
