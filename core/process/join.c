/* SPDX-License-Identifier: MIT */
/*
 * How a process finds the streams that trace it: its entry is the one from
 * before an exec, or is made of what an ancestor or the environment hands down.
 * It may do so in a handler, so this is made of system calls and
 * compare-and-swap alone.  A controller may have made an entry for
 * the process meanwhile: it looks for ours after that, and we for it after
 * ours, so one of the two sees the other.
 */
#include "core/process/join.h"

#include "core/buffer/leftover.h"
#include "core/core.h"
#include "core/process/aside.h"
#include "core/process/children.h"
#include "core/process/claim.h"
#include "core/process/guest.h"
#include "core/process/token.h"
#include "core/record/attached.h"
#include "core/record/slots.h"
#include "core/shm/allproc.h"
#include "core/shm/life.h"
#include "core/shm/registry.h"
#include "core/shm/segment.h"
#include "core/shm/untraced.h"
#include "core/sys/clock.h"
#include "core/sys/ident.h"
#include "core/sys/pidns.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"
#include "core/sys/wait.h"

#include <string.h>

/* So often may an entry change while we read it. */
#define CHANGES 100

/* A word that others may change at any moment, or one in private memory. */
static uint64_t get(const _Atomic uint64_t *word)
{
	return atomic_load_explicit(word, memory_order_relaxed);
}

/* The next stream of a list of hex ids, mapped; a bridge if the list says so.
 */
static int attach_listed(int dir, const char **list, struct ptl_map **map)
{
	uint64_t id = ptl_atou(list, 16);
	int32_t bridge;

	if (**list != PTL_STREAMS_BRIDGE)
		return dir < 0 ? ENOENT :
				 ptl_map_attach_recorder(
					 dir, ptl_attached.ident.uid, id, map);
	(*list)++;
	bridge = (int32_t)ptl_atou(list, 10);
	return ptl_guest_attach(bridge, id, map);
}

/* Adds the streams of a list of hex ids that are there and alive. */
static void add_listed(int dir, struct ptl_shm_entry *entry, const char *list)
{
	uint64_t names = ptl_atou(&list, 16);

	if (!get(&entry->names))
		atomic_store_explicit(&entry->names, names,
				      memory_order_relaxed);
	while (*list == ',') {
		struct ptl_map *map;
		int i;

		list++;
		if (attach_listed(dir, &list, &map) != 0)
			continue;
		i = ptl_registry_index(entry, map->id);
		if (ptl_map_state(map) & PTL_STATE_DEAD ||
		    (i >= 0 && !map->bridge)) {
			ptl_map_detach(map);
			continue;
		}
		/* Mapped now, so that it need not be when it is first used. */
		if (i < 0)
			i = ptl_registry_add(entry, ptl_ref(map->id, true),
					     map->bridge ||
						     map->head->names != names,
					     map->head->attr.calls);
		if (i < 0 || !ptl_attached_install((unsigned int)i, map))
			ptl_map_detach(map);
	}
}

void ptl_join_keep_inherited(struct ptl_shm_entry *entry)
{
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++) {
		uint64_t ref = get(&entry->refs[i]);

		if (ref && !ptl_ref_inherited(ref))
			ptl_registry_drop(entry, i, ptl_ref_stream(ref));
	}
}

/* Does any process have a stream to hand down? */
static bool is_any_traced(const struct ptl_registry *reg)
{
	const struct ptl_shm_entry *entry;
	uint32_t at = 0;
	uint64_t key;

	while ((entry = ptl_registry_next(reg, &at, &key)) != NULL)
		if (get(&entry->active))
			return true;
	return false;
}

/* The entry of that process, its own if there is one.  One that may be a dead
 * namesake's is not taken: it has the streams of another trace. */
static const struct ptl_shm_entry *entry_of(int dir, uint32_t pid,
					    uint64_t *its_key)
{
	const struct ptl_registry *reg = &ptl_attached.registry;
	const struct ptl_shm_entry *entry, *awaited = NULL;
	uint32_t at = 0;
	uint64_t key;

	while ((entry = ptl_registry_next_of(reg, pid, &at, &key)) != NULL) {
		struct ptl_shm_ident ident = ptl_registry_ident(entry, key);

		if (ident.pidns != ptl_attached.ident.pidns ||
		    ptl_ident_life(&ident, NULL) != PTL_LIFE_ALIVE ||
		    !ptl_life_is_sure(dir, entry, key))
			continue;
		*its_key = key;
		awaited = entry;
		if (ptl_key_state(key) == PTL_KEY_LISTED)
			break;
	}
	return awaited;
}

/* The entry of the nearest ancestor that has one; NULL if none does.  To look
 * at them costs more than all else here. */
static const struct ptl_shm_entry *ancestor(int dir, uint64_t *key)
{
	const struct ptl_shm_entry *entry = NULL;
	int pid = ptl_sys_getppid();

	if (!is_any_traced(&ptl_attached.registry))
		return NULL;
	for (unsigned int depth = 0; pid > 0 && depth < 64 && !entry; depth++) {
		entry = entry_of(dir, (uint32_t)pid, key);
		if (!entry)
			pid = ptl_proc_parent(pid);
	}
	return entry;
}

/* The streams of an entry, into one in private memory. */
static void copy_streams(struct ptl_shm_entry *to,
			 const struct ptl_shm_entry *from)
{
	memcpy(to->refs, from->refs, sizeof(to->refs));
	/* Before what goes with each bit.  Pairs with ptl_registry_add(). */
	atomic_init(&to->active,
		    atomic_load_explicit(&from->active, memory_order_acquire));
	atomic_init(&to->strangers, get(&from->strangers));
	atomic_init(&to->calls, get(&from->calls));
	atomic_init(&to->names, get(&from->names));
}

/* Copies what an ancestor hands down.  False: its entry has changed meanwhile,
 * and may be another's. */
static bool inherit(int dir, struct ptl_shm_entry *start)
{
	const struct ptl_shm_entry *from;
	uint64_t key;

	from = ancestor(dir, &key);
	if (!from)
		return true;
	copy_streams(start, from);
	ptl_join_keep_inherited(start);
	/* exec of a process that nothing traces starts a new family. */
	if (!get(&start->active))
		atomic_init(&start->names, 0);
	/* Pairs with take_free(): another writes to it after that. */
	atomic_thread_fence(memory_order_acquire);
	return get(ptl_registry_key(&ptl_attached.registry, from)) == key;
}

/* What a new process starts with, put together in private memory. */
static void collect(int dir, const char *streams, struct ptl_shm_entry *start)
{
	memset(start, 0, sizeof(*start));
	if (streams) {
		add_listed(dir, start, streams);
		if (ptl_attached_active() || get(&start->active))
			return;
	}
	for (unsigned int tries = 0; tries < CHANGES; tries++)
		if (inherit(dir, start))
			return;
	memset(start, 0, sizeof(*start));
}

/* The image before an exec may have ended inside a chunk it had open. */
static void close_former(struct ptl_map *map)
{
	uint32_t nr = ptl_map_present(map);

	for (uint32_t i = 0; i < nr; i++)
		ptl_leftover_abandoned(map, i, ptl_attached.ident.pid);
}

void ptl_join_joined(uint64_t active, uint32_t pid, bool expected)
{
	for (; active; active &= active - 1) {
		struct ptl_map *map =
			ptl_attached_map((unsigned int)__builtin_ctzll(active));

		if (map)
			ptl_children_came(map, pid, expected);
	}
}

/* Late: this image could not join when it began. */
static void same_process(int dir, struct ptl_shm_entry *entry,
			 const char *streams, bool late)
{
	bool loaded = ptl_registry_says(entry, PTL_ENTRY_LOADED);
	bool filtered = ptl_registry_says(entry, PTL_ENTRY_FILTERED);
	char program[PTL_ENTRY_PROGRAM];
	uint64_t before;

	atomic_fetch_add_explicit(&entry->image, 1, memory_order_relaxed);
	ptl_strcopy(program, sizeof(program), late ? entry->program : "");
	ptl_registry_program(entry, NULL);
	/* First: by their files these streams are not found. */
	if (ptl_guest_is(streams))
		add_listed(-1, entry, streams);
	/* The image before may have stood aside. */
	ptl_registry_wake(entry);
	/* The process is the same one: first seen when its first image was. */
	ptl_attached.ident.born = entry->ident.born;
	ptl_attached_set_entry(entry);
	ptl_registry_exec(entry, false);
	for (uint64_t left = ptl_attached_active(); left; left &= left - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(left);
		struct ptl_map *map = ptl_attached_map_from(dir, i);

		if (map)
			close_former(map);
		if (map && program[0])
			ptl_untraced_add(map, program,
					 ptl_untraced_why(filtered, -1));
	}
	before = ptl_attached_active();
	if (!before || ptl_apart_is(get(&entry->names)))
		atomic_store_explicit(&entry->names, 0, memory_order_relaxed);
	if (atomic_fetch_and_explicit(&entry->flags, ~PTL_ENTRY_LEFT,
				      memory_order_relaxed) &
	    PTL_ENTRY_LEFT)
		ptl_guest_back();
	ptl_allproc_join(&ptl_attached.registry, dir, entry, false);
	/* A controller made the entry; now there is somebody to trace. */
	ptl_join_joined(loaded ? ptl_attached_active() & ~before :
				 ptl_attached_active(),
			ptl_attached.ident.pid, false);
}

void ptl_join_unmap_foreign(const struct ptl_shm_entry *entry)
{
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++) {
		struct ptl_map *map = atomic_load_explicit(
			&ptl_attached.map[i], memory_order_relaxed);

		if (map && ptl_ref_stream(get(&entry->refs[i])) != map->id) {
			atomic_store_explicit(&ptl_attached.map[i], NULL,
					      memory_order_relaxed);
			ptl_map_detach(map);
		}
	}
}

/* The pid namespace in which PTRACE_STREAMS was written; 0: not given. */
static uint64_t told_pidns(const char *streams)
{
	while (streams && *streams && *streams != PTL_STREAMS_PIDNS)
		streams++;
	if (!streams || !*streams)
		return 0;
	streams++;
	return ptl_atou(&streams, 16);
}

static int new_process(int dir, const char *streams, int why_none, bool *fresh)
{
	struct ptl_shm_entry start, *entry;
	uint32_t image;
	bool known;

	collect(dir, streams, &start);
	start.parent.pid = start.parent.tid = (uint32_t)ptl_sys_getppid();
	/* A parent without a number here is in another namespace. */
	if (!start.parent.pid)
		start.parent.pidns = (uint32_t)told_pidns(streams);
	start.called = ptl_token_parent(streams, &start.parent);
	/* The birth of the process is told, if another user's registry knew it.
	 */
	known = ptl_token_goes_on(streams, &image);
	if (known)
		atomic_init(&start.image, image + 1);
	else
		atomic_init(&start.unannounced, get(&start.active));
	if (why_none && !get(&start.active))
		return why_none;
	entry = ptl_claim_entry(&start, ptl_token_since(streams));
	/* After it: who counts looks at the entry, and then at the members. */
	if (known)
		ptl_guest_back();
	/* A controller that was first knows better which streams trace us. */
	ptl_join_unmap_foreign(entry);
	ptl_allproc_join(&ptl_attached.registry, dir, entry, false);
	*fresh = !known && get(&start.active) != 0;
	if (!known)
		ptl_join_joined(ptl_attached_active(), ptl_attached.ident.pid,
				true);
	else
		ptl_children_execs(NULL);
	return 0;
}

/* Our entry from before an exec, with a byte of its own, and as one that has
 * the library.  NULL: there is none, or it was taken for dead. */
static struct ptl_shm_entry *keep_entry(const char *streams)
{
	const struct ptl_registry *reg = &ptl_attached.registry;

	for (unsigned int tries = 0; tries < CHANGES; tries++) {
		uint64_t key;
		struct ptl_shm_entry *entry = ptl_token_find(streams, &key);

		if (!entry)
			return NULL;
		/* Only if it is what was looked at. */
		if (!ptl_registry_change(reg, entry, &key, PTL_KEY_KEEP,
					 ptl_attached.ident.pid,
					 ptl_attached.life))
			continue;
		atomic_fetch_and_explicit(&entry->flags,
					  ~(PTL_ENTRY_HEIR | PTL_ENTRY_PARENT),
					  memory_order_relaxed);
		return entry;
	}
	return NULL;
}

/* In the run directory, dir, or without one. */
static int enter(int dir, const char *streams, bool *fresh, bool late)
{
	struct ptl_registry *reg = &ptl_attached.registry;
	struct ptl_shm_entry *entry;
	int err = dir < 0 ? -dir : 0;

	if (!err && !reg->shm)
		err = ptl_registry_open(dir, ptl_attached.ident.uid, true, reg);
	if (!err && !ptl_attached.life)
		ptl_attached.life = ptl_life_take(reg, dir);
	entry = keep_entry(streams);
	ptl_ident_pidns = ptl_attached.ident.pidns;
	if (!entry)
		return new_process(dir, streams, err, fresh);
	same_process(dir, entry, streams, late);
	/* The image before stood aside, and could not tell. */
	*fresh = get(&entry->unannounced) & ptl_attached_active();
	return 0;
}

static int join(const char *streams, bool *fresh, bool late)
{
	int dir, err;

	*fresh = false;
	ptl_clock_init();
	ptl_wait_init();
	ptl_ident_guess(&ptl_attached.ident, told_pidns(streams));
	if (ptl_slots_init() != 0)
		return ENOMEM;
	dir = ptl_rundir_open(ptl_attached.ident.uid, true);
	if (dir < 0)
		ptl_attached.ident.pidns = ptl_ident_pidns =
			ptl_token_pidns(streams);
	if (dir < 0 && !ptl_guest_is(streams))
		return -dir;
	err = enter(dir, streams, fresh, late);
	if (ptl_attached_entry() != &ptl_no_entry)
		atomic_fetch_or_explicit(&ptl_attached_entry()->flags,
					 PTL_ENTRY_LOADED,
					 memory_order_relaxed);
	if (dir >= 0)
		ptl_sys_close(dir);
	if (!err)
		ptl_guest_joined();
	return err;
}

int ptl_join_init(const char *streams, bool *fresh)
{
	static bool is_late;
	int err = join(streams, fresh, is_late);

	is_late = true;
	return err;
}
