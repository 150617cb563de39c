/* SPDX-License-Identifier: MIT */
/*
 * Walking the run directory.  Everything found there may vanish while it is
 * looked at, and may be damaged: what cannot be attached is skipped, and
 * removed only if its owner is known to be dead.
 */
#include "core/control/processes.h"

#include "core/buffer/loss.h"
#include "core/format/sysevents.h"
#include "core/process/fork.h"
#include "core/record/emit.h"
#include "core/shm/allproc.h"
#include "core/shm/registry.h"
#include "core/shm/segment.h"
#include "core/shm/untraced.h"
#include "core/sys/ident.h"
#include "core/sys/pidns.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include <sys/wait.h>

/* How often to begin again because a process has joined meanwhile. */
#define JOIN_TRIES 100

#define UNUSED_NS UINT64_C(1000000000)
#define UNBORN_NS UINT64_C(1000000000)

bool ptl_processes_foreign(uint32_t uid)
{
	return uid != ptl_sys_geteuid();
}

/* Maps the block that a file name "p.NS.PID" means; NULL if it is none. */
static struct ptl_shm_block *block_of(int dir, uint32_t uid, const char *name)
{
	struct ptl_shm_block *block;

	return ptl_registry_attach(dir, uid, name, &block) == 0 ? block : NULL;
}

static void record_end(struct ptl_map *map, const struct ptl_shm_block *block,
		       int wait_status)
{
	struct ptl_emit_as as = {
		.pid = block->ident.pid,
		.tid = block->ident.pid,
		.image = atomic_load_explicit(&block->image,
					      memory_order_relaxed),
	};
	enum ptl_sysevent id = PTL_EV_PROCESS_KILLED;
	int64_t value = 0; /* it is not known how it died */

	if (wait_status >= 0 && WIFEXITED(wait_status)) {
		id = PTL_EV_PROCESS_EXIT;
		value = WEXITSTATUS(wait_status);
	} else if (wait_status >= 0) {
		value = WTERMSIG(wait_status);
	}
	ptl_emit_as(map, &as, id, &value, sizeof(value), sizeof(value), NULL);
}

/* Records in the stream of reference i what the process could not. */
static void finish_story(int dir, struct ptl_shm_block *block, unsigned int i,
			 int wait_status)
{
	uint64_t ref =
		atomic_load_explicit(&block->refs[i], memory_order_relaxed);
	uint64_t bit = UINT64_C(1) << i;
	char program[PTL_BLOCK_PROGRAM];
	struct ptl_map *map;

	/* Relaxed, as the finder's word: its former owner is dead. */
	if (!ref ||
	    atomic_load_explicit(&block->mourned, memory_order_relaxed) & bit ||
	    ptl_map_attach(dir, block->ident.uid, ptl_ref_stream(ref), &map) !=
		    0)
		return;
	if (atomic_load_explicit(&block->unannounced, memory_order_relaxed) &
	    bit)
		ptl_fork_tell(map, &block->parent, block->ident.pid);
	atomic_fetch_and_explicit(&block->unannounced, ~bit,
				  memory_order_relaxed);
	ptl_loss_missed(map, block, i);
	record_end(map, block, wait_status);
	ptl_strcopy(program, sizeof(program), block->program);
	if (program[0])
		ptl_untraced_add(map, program, PTL_NOT_STARTED);
	atomic_fetch_or_explicit(&block->mourned, bit, memory_order_relaxed);
	ptl_map_detach(map);
}

/* One finder at a time; if it is killed, another may follow. */
static bool become_finder(struct ptl_shm_block *block)
{
	uint32_t before =
		atomic_load_explicit(&block->finder, memory_order_relaxed);

	return (before == 0 || !ptl_tid_alive((int)before)) &&
	       atomic_compare_exchange_strong_explicit(
		       &block->finder, &before, (uint32_t)ptl_sys_gettid(),
		       memory_order_relaxed, memory_order_relaxed);
}

/* Records the end of a dead process in all its streams, once; true if nothing
 * is left to record, and it can be forgotten. */
static bool end_process(int dir, struct ptl_shm_block *block, int wait_status)
{
	if (!ptl_registry_says(block, PTL_BLOCK_LOADED) ||
	    ptl_registry_says(block, PTL_BLOCK_ENDED))
		return true;
	if (!become_finder(block))
		return false;
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++)
		finish_story(dir, block, i, wait_status);
	atomic_fetch_or_explicit(&block->flags, PTL_BLOCK_ENDED,
				 memory_order_relaxed);
	return true;
}

/* Made by a controller for a process without the library, and let go since. */
static bool is_unused(const struct ptl_shm_block *block)
{
	if (ptl_registry_says(block, PTL_BLOCK_LOADED) ||
	    ptl_boottime() - block->ident.born < UNUSED_NS)
		return false;
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++)
		if (atomic_load_explicit(&block->refs[i], memory_order_relaxed))
			return false;
	return true;
}

/* Its parent may be about to record how it died: not the first time. */
static bool is_missing(struct ptl_shm_block *block)
{
	return atomic_fetch_or_explicit(&block->flags, PTL_BLOCK_MISSING,
					memory_order_relaxed) &
	       PTL_BLOCK_MISSING;
}

/* A process of another pid namespace, of which nothing is seen here: it may
 * have ended with the namespace.  One that was missing the last time is looked
 * for at once. */
static bool has_gone(struct ptl_shm_block *block)
{
	return block->ident.pidns != ptl_pidns() &&
	       (ptl_registry_says(block, PTL_BLOCK_MISSING) ||
		ptl_pidns_may_look(&block->ident, &block->look_again)) &&
	       ptl_pidns_gone(&block->ident);
}

static enum ptl_life life_of(struct ptl_shm_block *block, int *status)
{
	enum ptl_life life = ptl_ident_life(&block->ident, status);

	return life == PTL_LIFE_ALIVE && has_gone(block) ? PTL_LIFE_GONE : life;
}

bool ptl_processes_check(int dir, const char *name, struct ptl_shm_block *block)
{
	int status = -1;

	switch (life_of(block, &status)) {
	case PTL_LIFE_ALIVE:
		if (is_unused(block))
			ptl_sys_unlink(dir, name);
		return true;
	case PTL_LIFE_ZOMBIE:
		/* Without its status leave it to the parent. */
		if (status >= 0)
			end_process(dir, block, status);
		return false;
	case PTL_LIFE_GONE:
		if (is_missing(block) && end_process(dir, block, -1))
			ptl_sys_unlink(dir, name);
		return false;
	}
	return false;
}

struct count {
	uint32_t uid;
	uint64_t stream;
	bool foreign;
	unsigned int live;
	struct ptl_map *map; /* NULL: it cannot be mapped */
};

/* Of a process in another user's directory: its end for our stream alone. */
static bool check_stranger(int dir, struct ptl_shm_block *block, unsigned int i)
{
	int status = -1;
	enum ptl_life life = life_of(block, &status);

	if (life == PTL_LIFE_ALIVE)
		return true;
	if (!ptl_registry_says(block, PTL_BLOCK_LOADED) ||
	    ptl_registry_says(block, PTL_BLOCK_ENDED))
		return false;
	/* As in ptl_processes_check(). */
	if (life == PTL_LIFE_ZOMBIE ? status >= 0 : is_missing(block))
		finish_story(dir, block, i, status);
	return false;
}

static int count_process(int dir, const char *name, void *arg)
{
	struct count *count = arg;
	struct ptl_shm_block *block;
	int err = ptl_registry_attach(dir, count->uid, name, &block), i;

	/* A process that may be one of those is counted. */
	count->live += err && !ptl_segment_is_gone(err);
	if (err)
		return 0;
	i = ptl_registry_index(block, count->stream);
	if (i >= 0 && count->map)
		ptl_loss_missed(count->map, block, (unsigned int)i);
	if (i >= 0 &&
	    (count->foreign ? check_stranger(dir, block, (unsigned int)i) :
			      ptl_processes_check(dir, name, block)) &&
	    !ptl_registry_says(block, PTL_BLOCK_ENDED))
		count->live++;
	ptl_registry_unmap(block);
	return 0;
}

/*
 * Children of parents that have ended may not have had their first moment on
 * a processor.  One that does not come in a second was killed before, or is
 * a program that cannot be traced.
 */
static unsigned int unborn(const struct ptl_map *map)
{
	/* Relaxed: a parent that was found dead had stored it. */
	uint64_t since = atomic_load_explicit(&map->head->unborn_since,
					      memory_order_relaxed);

	if (ptl_boottime() - since >= UNBORN_NS)
		return 0;
	/* Pairs with born(): a child that was born has joined. */
	return atomic_load_explicit(&map->head->unborn, memory_order_acquire);
}

/* How many have ever joined: acquire, for the look that follows.
 * Pairs with ptl_children_came(). */
static uint32_t nr_joined(const struct ptl_map *map)
{
	return atomic_load_explicit(&map->head->processes,
				    memory_order_acquire);
}

unsigned int ptl_processes_live(uint32_t uid, uint64_t id)
{
	struct count count = {uid, id, ptl_processes_foreign(uid), 0, NULL};
	int dir = ptl_rundir_open(uid, false);
	struct ptl_map *map;
	unsigned int tries = 0;
	uint32_t joined = 0;

	/* Whether a process lives is not known: then one does. */
	if (dir < 0)
		return dir != -ENOENT;
	if (ptl_map_attach(dir, uid, id, &map) != 0)
		map = NULL;
	count.map = map;
	/* A look through the directory can miss both a child that comes and
	 * its parent that goes.  If they come all the time, there are some. */
	do {
		if (map)
			joined = nr_joined(map);
		if (ptl_rundir_each(dir, "p.", count_process, &count) < 0)
			count.live++;
		if (map && count.live == 0)
			count.live = unborn(map);
		if (++tries == JOIN_TRIES)
			count.live = 1;
	} while (map && count.live == 0 && joined != nr_joined(map));
	if (map)
		ptl_map_detach(map);
	ptl_sys_close(dir);
	return count.live;
}

static int unname(int dir, const char *name, void *arg)
{
	struct count *count = arg;
	struct ptl_shm_block *block = block_of(dir, count->uid, name);
	int i = block ? ptl_registry_index(block, count->stream) : -1;

	if (i >= 0)
		ptl_registry_drop(block, (unsigned int)i, count->stream);
	if (block)
		ptl_registry_unmap(block);
	return 0;
}

void ptl_processes_unname(uint32_t uid, uint64_t id)
{
	struct count count = {uid, id, false, 0, NULL};
	int dir = ptl_rundir_open(uid, false);

	if (dir < 0)
		return;
	ptl_rundir_each(dir, "p.", unname, &count);
	ptl_allproc_unname(dir, uid, id);
	ptl_sys_close(dir);
}

void ptl_processes_ended(const struct ptl_shm_ident *ident, int wait_status)
{
	struct ptl_shm_block *block;
	char name[PTL_SHM_NAME];
	int dir;

	/* Nearly all have recorded their end themselves. */
	ptl_segment_name_block(name, ident->pidns, ident->pid);
	if (ptl_rundir_lacks(ident->uid, name))
		return;
	dir = ptl_rundir_open(ident->uid, false);
	if (dir < 0)
		return;
	block = block_of(dir, ident->uid, name);
	/* The pid may have been given away again since it was reaped. */
	if (block && ptl_ident_life(&block->ident, NULL) != PTL_LIFE_ALIVE) {
		if (end_process(dir, block, wait_status))
			ptl_sys_unlink(dir, name);
	}
	if (block)
		ptl_registry_unmap(block);
	ptl_sys_close(dir);
}
