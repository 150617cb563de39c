/* SPDX-License-Identifier: MIT */
/*
 * What the dead left.  Everything found there may vanish while it is looked at,
 * and may be damaged: what cannot be attached is removed only if its owner is
 * known to be dead.
 */
#include "core/control/collect.h"

#include "core/control/processes.h"
#include "core/control/recover.h"
#include "core/shm/family.h"
#include "core/shm/registry.h"
#include "core/shm/segment.h"
#include "core/sys/clock.h"
#include "core/sys/ident.h"
#include "core/sys/pidns.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

/* How old what was begun by a process of another pid namespace must be. */
#define ABANDONED_S 60

static int collect_process(int dir, const char *name, void *arg)
{
	struct ptl_shm_block *block;

	if (ptl_registry_attach(dir, *(uint32_t *)arg, name, &block) != 0)
		return 0;
	ptl_processes_check(dir, name, block);
	ptl_registry_unmap(block);
	return 0;
}

struct live {
	uint32_t uid;
	unsigned int count;
};

static int collect_stream(int dir, const char *name, void *arg)
{
	struct live *live = arg;
	const char *hex = name + 2;
	uint64_t id = ptl_atou(&hex, 16);

	if (ptl_recover(dir, live->uid, id, -1) == EBUSY)
		live->count++;
	return 0;
}

/* Of those only how many there are. */
static int count_stream(int dir, const char *name, void *arg)
{
	struct live *live = arg;
	const char *hex = name + 2;

	live->count += ptl_recover_controller_lives(dir, live->uid,
						    ptl_atou(&hex, 16));
	return 0;
}

static bool is_old(int dir, const char *name)
{
	struct stat st;

	return ptl_sys(SYS_newfstatat, dir, name, &st, AT_SYMLINK_NOFOLLOW) ==
		       0 &&
	       (int64_t)(ptl_clock_ns(CLOCK_REALTIME) / 1000000000) -
			       st.st_mtime >=
		       ABANDONED_S;
}

/* "x.NS.PID.…": a process was killed while it made a segment.  Of another pid
 * namespace that cannot be known; but making one takes no time. */
static int collect_temporary(int dir, const char *name, void *arg)
{
	const char *digits = name + 2;
	uint64_t pidns = ptl_atou(&digits, 10);
	int pid;

	(void)arg;
	digits += *digits == '.';
	pid = (int)ptl_atou(&digits, 10);
	if (pidns == ptl_pidns() ? !ptl_tid_alive(pid) : is_old(dir, name))
		ptl_sys_unlink(dir, name);
	return 0;
}

struct table {
	uint32_t uid;
	uint64_t id;
};

static int uses_table(int dir, const char *name, void *arg)
{
	struct table *table = arg;
	struct ptl_shm_block *block;
	int err = ptl_registry_attach(dir, table->uid, name, &block);
	bool used;

	if (err)
		return !ptl_segment_is_gone(err);
	used = atomic_load_explicit(&block->names, memory_order_relaxed) ==
	       table->id;
	ptl_registry_unmap(block);
	return used;
}

static int stream_uses_table(int dir, const char *name, void *arg)
{
	struct table *table = arg;
	const char *hex = name + 2;
	struct ptl_map *map;
	int err = ptl_map_attach(dir, table->uid, ptl_atou(&hex, 16), &map);
	bool used;

	if (err)
		return !ptl_segment_is_gone(err);
	used = map->head->names == table->id;
	ptl_map_detach(map);
	return used;
}

/* Does the process that made a table still have a block?  Then it may be
 * about to name the table in one. */
static bool maker_there(int dir, uint32_t uid, uint64_t id)
{
	struct ptl_shm_ident maker;
	struct ptl_shm_names *names;
	struct ptl_shm_block *block;
	char name[PTL_SHM_NAME];
	int err = ptl_family_find(dir, uid, id, &names);
	bool there;

	if (err)
		return !ptl_segment_is_gone(err);
	maker = names->maker;
	ptl_sys_munmap(names, sizeof(*names));
	ptl_segment_name_block(name, maker.pidns, maker.pid);
	err = ptl_registry_attach(dir, uid, name, &block);
	if (err)
		return !ptl_segment_is_gone(err);
	there = block->ident.born == maker.born;
	ptl_registry_unmap(block);
	return there;
}

static int collect_table(int dir, const char *name, void *arg)
{
	const char *hex = name + 2;
	struct table table = {*(uint32_t *)arg, ptl_atou(&hex, 16)};

	if (!ptl_rundir_each(dir, "p.", uses_table, &table) &&
	    !ptl_rundir_each(dir, "s.", stream_uses_table, &table) &&
	    !maker_there(dir, table.uid, table.id))
		ptl_sys_unlink(dir, name);
	return 0;
}

unsigned int ptl_collect(uint32_t uid)
{
	struct live live = {uid, 0};
	int dir = ptl_rundir_open(uid, false);

	if (dir < 0)
		return 0;
	if (ptl_processes_foreign(uid)) {
		ptl_rundir_each(dir, "s.", count_stream, &live);
	} else {
		ptl_rundir_each(dir, "p.", collect_process, &uid);
		ptl_rundir_each(dir, "s.", collect_stream, &live);
		ptl_rundir_each(dir, "x.", collect_temporary, NULL);
		ptl_rundir_each(dir, "t.", collect_table, &uid);
	}
	ptl_sys_close(dir);
	return live.count;
}
