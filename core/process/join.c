/* SPDX-License-Identifier: MIT */
/*
 * How a process finds the streams that trace it: its block is the one from
 * before an exec, or is made of what an ancestor or the environment hands down.
 * A fork child does so wherever it first records, so this is made of system
 * calls and compare-and-swap alone; a controller may make the same block, and
 * the one that loses a race undoes what it did.
 */
#include "core/process/join.h"

#include "core/buffer/chunk.h"
#include "core/core.h"
#include "core/process/children.h"
#include "core/record/attached.h"
#include "core/record/slots.h"
#include "core/shm/allproc.h"
#include "core/shm/registry.h"
#include "core/shm/segment.h"
#include "core/shm/untraced.h"
#include "core/sys/clock.h"
#include "core/sys/ident.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"
#include "core/sys/wait.h"

#include <string.h>

/* A word that others may change at any moment, or one in private memory. */
static uint64_t get(const _Atomic uint64_t *word)
{
	return atomic_load_explicit(word, memory_order_relaxed);
}

/* Adds the streams of a list of hex ids that are there and alive. */
static void add_listed(int dir, struct ptl_shm_block *block, const char *list)
{
	uint64_t names = ptl_atou(&list, 16);

	atomic_init(&block->names, names);
	while (*list == ',') {
		struct ptl_map *map;
		uint64_t id;
		int i;

		list++;
		id = ptl_atou(&list, 16);
		if (ptl_map_attach(dir, ptl_attached.ident.uid, id, &map) != 0)
			continue;
		if (ptl_map_state(map) & PTL_STATE_DEAD ||
		    ptl_registry_index(block, id) >= 0) {
			ptl_map_detach(map);
			continue;
		}
		/* Mapped now, so that it need not be when it is first used. */
		i = ptl_registry_add(block, ptl_ref(id, true),
				     map->head->names != names,
				     map->head->attr.calls);
		if (i < 0 || !ptl_attached_install((unsigned int)i, map))
			ptl_map_detach(map);
	}
}

/* Keeps of a copied block what children inherit. */
static void keep_inherited(struct ptl_shm_block *block, uint64_t withheld)
{
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++) {
		uint64_t ref = get(&block->refs[i]);

		if (ref && (!ptl_ref_inherited(ref) || withheld >> i & 1))
			ptl_registry_drop(block, i, ptl_ref_stream(ref));
	}
}

/* The block of the nearest ancestor that has one; NULL if none does. */
static struct ptl_shm_block *ancestor(int dir)
{
	struct ptl_shm_ident ident = ptl_attached.ident;
	struct ptl_shm_block *block;
	int pid = ptl_sys_getppid();

	for (unsigned int depth = 0; pid > 0 && depth < 64; depth++) {
		ident.pid = (uint32_t)pid;
		if (ptl_registry_find(dir, &ident, &block) == 0)
			return block;
		pid = ptl_proc_parent(pid);
	}
	return NULL;
}

/* The streams of a block, into one in private memory. */
static void copy_streams(struct ptl_shm_block *to,
			 const struct ptl_shm_block *from)
{
	memcpy(to->refs, from->refs, sizeof(to->refs));
	/* Before what goes with each bit.  Pairs with ptl_registry_add(). */
	atomic_init(&to->active,
		    atomic_load_explicit(&from->active, memory_order_acquire));
	atomic_init(&to->strangers, get(&from->strangers));
	atomic_init(&to->calls, get(&from->calls));
	atomic_init(&to->names, get(&from->names));
}

/* What a new process starts with, put together in private memory. */
static void collect(int dir, const char *streams, struct ptl_shm_block *start)
{
	struct ptl_shm_block *from;

	if (streams) {
		add_listed(dir, start, streams);
		if (ptl_attached_active() || get(&start->active))
			return;
	}
	from = ancestor(dir);
	if (!from)
		return;
	copy_streams(start, from);
	ptl_registry_unmap(from);
	keep_inherited(start, 0);
	/* exec of a process that nothing traces starts a new family. */
	if (!get(&start->active))
		atomic_init(&start->names, 0);
}

/* The image before an exec may have ended inside a chunk it had open. */
static void close_former(struct ptl_map *map)
{
	for (uint32_t i = 0; i < map->nr_chunks; i++)
		ptl_chunk_abandoned(map, i, ptl_attached.ident.pid);
}

void ptl_join_joined(uint64_t active, uint32_t pid)
{
	for (; active; active &= active - 1) {
		struct ptl_map *map =
			ptl_attached_map((unsigned int)__builtin_ctzll(active));

		if (map)
			ptl_children_came(map, pid);
	}
}

/* Late: this image could not join when it began. */
static void same_process(int dir, struct ptl_shm_block *block, bool late)
{
	bool loaded = ptl_registry_says(block, PTL_BLOCK_LOADED);
	char program[PTL_BLOCK_PROGRAM];
	uint64_t before;

	atomic_fetch_add_explicit(&block->image, 1, memory_order_relaxed);
	ptl_strcopy(program, sizeof(program), late ? block->program : "");
	ptl_registry_program(block, NULL);
	/* The image before may have stood aside. */
	ptl_registry_wake(block);
	ptl_attached_set_block(block);
	for (uint64_t left = ptl_attached_active(); left; left &= left - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(left);
		struct ptl_map *map = ptl_attached_map_from(dir, i);

		if (map)
			close_former(map);
		if (map && program[0])
			ptl_untraced_add(map, program, PTL_NOT_STARTED);
	}
	before = ptl_attached_active();
	if (!before)
		atomic_store_explicit(&block->names, 0, memory_order_relaxed);
	ptl_allproc_join(dir, ptl_attached.ident.uid, block, false);
	/* A controller made the block; now there is somebody to trace. */
	ptl_join_joined(loaded ? ptl_attached_active() & ~before :
				 ptl_attached_active(),
			ptl_attached.ident.pid);
}

/* Alone in a new process: mappings that are not ours to use can go. */
static void unmap_foreign(const struct ptl_shm_block *block)
{
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++) {
		struct ptl_map *map = atomic_load_explicit(
			&ptl_attached.map[i], memory_order_relaxed);

		if (map && ptl_ref_stream(get(&block->refs[i])) != map->id) {
			atomic_store_explicit(&ptl_attached.map[i], NULL,
					      memory_order_relaxed);
			ptl_map_detach(map);
		}
	}
}

static struct ptl_shm_block spare PTL_BULK;

/*
 * The run directory cannot take our block: no process will find us, but the
 * streams that we have found go on.  In the place of the block `at', if not
 * NULL.
 */
static struct ptl_shm_block *private_block(const struct ptl_shm_block *start,
					   struct ptl_shm_block *at)
{
	struct ptl_shm_block *block = MAP_FAILED;

	if (at)
		block = ptl_sys_mmap(
			at, PTL_SHM_BLOCK_SIZE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (block == MAP_FAILED)
		block = &spare;
	*block = *start;
	block->ident = ptl_attached.ident;
	atomic_fetch_or_explicit(&block->flags, PTL_BLOCK_UNLISTED,
				 memory_order_relaxed);
	return block;
}

static int new_process(int dir, const char *streams, bool *fresh)
{
	struct ptl_shm_block start, *block;
	bool mine;
	int err;

	memset(&start, 0, sizeof(start));
	collect(dir, streams, &start);
	start.parent.pid = start.parent.tid = (uint32_t)ptl_sys_getppid();
	atomic_init(&start.unannounced, get(&start.active));
	err = ptl_registry_create(dir, &ptl_attached.ident, &start, NULL,
				  &block, &mine);
	if (err) {
		if (!get(&start.active))
			return err;
		block = private_block(&start, NULL);
		mine = true;
	}
	ptl_attached_set_block(block);
	/* A controller that was first knows better which streams trace us. */
	if (!mine)
		unmap_foreign(block);
	ptl_allproc_join(dir, ptl_attached.ident.uid, block, false);
	*fresh = mine && get(&start.active) != 0;
	ptl_join_joined(ptl_attached_active(), ptl_attached.ident.pid);
	return 0;
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

/*
 * Our block, if this process was there before an exec.  The namespace in
 * PTRACE_STREAMS is nearly always the right one, and the block proves it; to
 * ask costs as much as all else here, for the kernel has to make room in /proc
 * for each process that looks.
 */
static bool find_block(int dir, struct ptl_shm_block **block)
{
	bool found = ptl_registry_is_mine(dir, &ptl_attached.ident, block);

	if (!found) {
		ptl_attached.ident.pidns = ptl_pidns();
		found = ptl_registry_find(dir, &ptl_attached.ident, block) == 0;
	}
	ptl_ident_pidns = ptl_attached.ident.pidns;
	return found;
}

static int join(const char *streams, bool *fresh, bool late)
{
	struct ptl_shm_block *block;
	int dir, err = 0;

	*fresh = false;
	ptl_clock_init();
	ptl_wait_init();
	ptl_ident_guess(&ptl_attached.ident, told_pidns(streams));
	if (ptl_slots_init() != 0)
		return ENOMEM;
	dir = ptl_rundir_open(ptl_attached.ident.uid, true);
	if (dir < 0) {
		ptl_attached.ident.pidns = ptl_ident_pidns = ptl_pidns();
		return -dir;
	}
	if (find_block(dir, &block))
		same_process(dir, block, late);
	else
		err = new_process(dir, streams, fresh);
	atomic_fetch_or_explicit(&ptl_attached_block()->flags, PTL_BLOCK_LOADED,
				 memory_order_relaxed);
	ptl_sys_close(dir);
	return err;
}

int ptl_join_init(const char *streams, bool *fresh)
{
	static bool is_late;
	int err = join(streams, fresh, is_late);

	is_late = true;
	return err;
}

static bool is_aside;

void ptl_join_aside(void)
{
	struct ptl_shm_block *block = ptl_attached_block();
	uint64_t left = ptl_attached_active();

	atomic_fetch_and_explicit(&block->active, ~left, memory_order_relaxed);
	for (; left; left &= left - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(left);
		struct ptl_map *map = atomic_exchange_explicit(
			&ptl_attached.map[i], NULL, memory_order_relaxed);

		if (map)
			ptl_map_detach(map);
	}
	is_aside = true;
}

void ptl_join_after_all(void)
{
	if (__atomic_exchange_n(&is_aside, false, __ATOMIC_RELAXED))
		ptl_registry_wake(ptl_attached_block());
}

bool ptl_join_is_aside(void)
{
	return is_aside;
}

bool ptl_join_stands_aside(void)
{
	const struct ptl_shm_block *block = ptl_attached_block();
	uint64_t active = ptl_attached_active();

	for (unsigned int i = 0; is_aside && i < PTL_MAX_STREAMS; i++)
		if (get(&block->refs[i]) && !(active >> i & 1))
			return true;
	return false;
}

void ptl_join_inherit(struct ptl_shm_block *start, uint64_t withheld,
		      const struct ptl_shm_parent *who)
{
	const struct ptl_shm_block *parent = ptl_attached_block();

	memset(start, 0, sizeof(*start));
	copy_streams(start, parent);
	for (unsigned int i = 0; is_aside && i < PTL_MAX_STREAMS; i++)
		if (!(get(&start->active) >> i & 1))
			atomic_init(&start->refs[i], 0);
	atomic_init(&start->image,
		    atomic_load_explicit(&parent->image, memory_order_relaxed));
	atomic_init(&start->flags, PTL_BLOCK_LOADED);
	start->parent = *who;
	keep_inherited(start, withheld);
	atomic_init(&start->unannounced, get(&start->active));
}

/* Ours, if it is a mapping, whose place another can take; or NULL. */
static struct ptl_shm_block *mapped_block(void)
{
	struct ptl_shm_block *block = ptl_attached_block();

	return block == &ptl_no_block || block == &spare ? NULL : block;
}

/* Those that are in `start', in private memory, and not in the block yet. */
static void add_streams(struct ptl_shm_block *block,
			const struct ptl_shm_block *start)
{
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++) {
		uint64_t ref = get(&start->refs[i]);

		if (ref && ptl_registry_index(block, ptl_ref_stream(ref)) < 0)
			ptl_registry_add(block, ref,
					 get(&start->strangers) >> i & 1,
					 get(&start->calls) >> i & 1);
	}
}

/*
 * The block of a fork child, which starts with what it inherits.  It comes
 * where its parent's was: a handler may have forked between a look where the
 * block is and a look into it.
 */
static struct ptl_shm_block *child_block(int dir, struct ptl_shm_block *start)
{
	struct ptl_shm_block *old = mapped_block(), *block;
	bool mine;

	if (dir < 0 || ptl_registry_create(dir, &ptl_attached.ident, start, old,
					   &block, &mine))
		return private_block(start, old);
	/* A controller was faster than we: its references join ours. */
	if (!mine)
		add_streams(block, start);
	/* A stream that traces all processes since the fork missed us. */
	ptl_allproc_join(dir, ptl_attached.ident.uid, block, true);
	return block;
}

/* If it is not there yet. */
static void replace_block(struct ptl_shm_block *block)
{
	struct ptl_shm_block *old = mapped_block();

	if (block == old)
		return;
	if (block != &spare && old &&
	    ptl_sys6(SYS_mremap, (long)block, PTL_SHM_BLOCK_SIZE,
		     PTL_SHM_BLOCK_SIZE, MREMAP_MAYMOVE | MREMAP_FIXED,
		     (long)old, 0) == (long)old)
		return;
	ptl_attached_set_block(block);
}

void ptl_join_born(uint64_t withheld, const struct ptl_shm_parent *parent)
{
	struct ptl_shm_block start, *block;
	int dir;

	ptl_join_inherit(&start, withheld, parent);
	ptl_ident_child(&ptl_attached.ident);
	ptl_ident_pidns = ptl_attached.ident.pidns;
	dir = ptl_rundir_open(ptl_attached.ident.uid, true);
	block = child_block(dir, &start);
	if (dir >= 0)
		ptl_sys_close(dir);
	/* If a controller made it, it does not say so yet. */
	atomic_fetch_or_explicit(&block->flags, PTL_BLOCK_LOADED,
				 memory_order_relaxed);
	replace_block(block);
}

void ptl_join_fork(void)
{
	unmap_foreign(ptl_attached_block());
	ptl_join_joined(ptl_attached_active(), ptl_attached.ident.pid);
}
