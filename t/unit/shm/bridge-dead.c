/* SPDX-License-Identifier: MIT */
/*
 * A stream that ends at any moment while a process makes a bridge to it: the
 * bridge is removed, by the one or by the other.
 */
#include "core/shm/bridge.h"
#include "core/shm/segment.h"
#include "core/sys/clock.h"
#include "core/sys/ident.h"

#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/step.h"
#include "t/lib/tap.h"

#include <sched.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <trace.h>
#include <unistd.h>

static struct ptl_shm_ident me;
static int dir;

static struct ptl_map *make(void)
{
	const struct ptl_shm_attr attr = {
		.stream_size = 16384,
		.max_data = 100,
		.stream_policy = POSIX_TRACE_LOOP,
	};
	struct ptl_map *map = NULL;
	char tmp[PTL_SHM_NAME];

	ptl_map_create(dir, me.uid, &attr, &me, 0, tmp, &map);
	ptl_map_publish(dir, tmp, map);
	return map;
}

static int reach(struct proc *self, void *map)
{
	int32_t id;

	(void)self;
	step_here();
	ptl_bridge_reach(map, &me, 0, &id);
	step_here();
	return 0;
}

static int nr_segments(void)
{
	struct shm_info info;

	shmctl(0, SHM_INFO, (struct shmid_ds *)&info);
	return info.used_ids;
}

static void end(struct ptl_map *map)
{
	/* Pairs with announce(). */
	atomic_fetch_or_explicit(&map->head->state, PTL_STATE_DEAD,
				 memory_order_seq_cst);
	ptl_bridge_remove_all(map);
}

/* False: it was made before that stop. */
static int one(int n, int *left)
{
	struct ptl_map *map = make();
	struct proc p;
	int stops = 0;

	proc_start(&p, reach, map);
	if (!step_await(&p))
		skip_all("no ptrace(2)");
	while (stops < n && step_on(&p, PTRACE_SYSCALL))
		stops++;
	end(map);
	step_finish(&p);
	*left = nr_segments();
	ptl_map_detach(map);
	return stops == n;
}

int main(int argc, char **argv)
{
	int n = 0, left = 0, wrong = 0;

	(void)argc;
	if (under_valgrind())
		skip_all("valgrind is no place for ptrace(2)");
	private_shm(argv);
	if (unshare(CLONE_NEWIPC))
		skip_all("no IPC namespace");
	ptl_clock_init();
	ptl_ident_self(&me);
	dir = ptl_rundir_open(me.uid, true);
	for (; one(n, &left); n++) {
		wrong += left != 0;
		/* Once is enough. */
		if (left)
			unshare(CLONE_NEWIPC);
	}
	plan(2);
	ok(n > 10, "at %d stops", n);
	is_int(wrong, 0, "nothing is left");
	return done();
}
