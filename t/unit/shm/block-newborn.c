/* SPDX-License-Identifier: MIT */
/*
 * Two find the block of a process that is dead: the slower of them leaves the
 * block alone that a process of the same pid has made meanwhile.
 */
#include "core/shm/registry.h"
#include "core/shm/segment.h"
#include "core/sys/clock.h"
#include "core/sys/ident.h"
#include "t/lib/proc.h"
#include "t/lib/step.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <unistd.h>

/* The last steps count, when the block was found to be a dead one's; of most of
 * them nothing can be seen. */
#define LAST 400
#define STRIDE 10

static struct ptl_shm_ident dead, newborn;
static struct ptl_shm_block none;
static int dir;
static long until;
static bool made;

static void slower(void)
{
	struct ptl_shm_block *block;

	if (ptl_registry_find(dir, &newborn, &block) == 0)
		ptl_registry_unmap(block);
}

/* Has the slower one come so far that the other would wait for him? */
static bool is_locked(void)
{
	char name[PTL_SHM_NAME];
	bool locked;
	int fd;

	ptl_segment_name_block(name, newborn.pidns, newborn.pid);
	fd = openat(dir, name, O_RDONLY);
	locked = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0;
	close(fd);
	return locked;
}

/* The faster one is all that at once. */
static int faster(long n)
{
	struct ptl_shm_block *block;

	if (n < until || is_locked())
		return n < until;
	if (ptl_registry_find(dir, &newborn, &block) == ENOENT)
		ptl_registry_create(dir, &newborn, &none, NULL, &block, &made);
	ptl_registry_unmap(block);
	return 0;
}

/* Is the newborn's block there in the end? */
static bool is_there(void)
{
	char name[PTL_SHM_NAME];
	struct ptl_shm_block *block;

	ptl_segment_name_block(name, newborn.pidns, newborn.pid);
	if (ptl_registry_attach(dir, newborn.uid, name, &block) != 0)
		return false;
	ptl_registry_unmap(block);
	return true;
}

/* Steps of the slower one; the block he finds is that of the dead. */
static long find(void)
{
	struct ptl_shm_block *block;
	long steps;
	bool mine;

	made = false;
	if (ptl_registry_create(dir, &dead, &none, NULL, &block, &mine) != 0)
		return 0;
	ptl_registry_unmap(block);
	steps = step_through(slower, faster);
	return steps;
}

static int sleeper(struct proc *self, void *arg)
{
	(void)arg;
	return !proc_await(self);
}

int main(void)
{
	long steps, rounds = 0, wrong = 0;
	struct proc p;

	step_needed();
	no_sanitizer(); /* Many more steps. */
	plan(4);
	ptl_clock_init();
	proc_start(&p, sleeper, NULL);
	is_int(ptl_ident_of(p.pid, &newborn), 0, "a process");
	dead = newborn;
	dead.born = 1;
	dir = ptl_rundir_open(newborn.uid, true);
	ok(dir >= 0, "the run directory");
	until = LONG_MAX;
	steps = find();
	for (until = PTL_MAX(steps - LAST, 1); until < steps; until += STRIDE) {
		find();
		rounds += made;
		wrong += made && !is_there();
		ptl_registry_unlink(dir, &newborn);
	}
	ok(rounds > 0, "at %ld moments", rounds);
	is_int(wrong, 0, "the newborn's stays");
	proc_tell(&p);
	proc_wait(&p);
	return done();
}
