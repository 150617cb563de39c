/* SPDX-License-Identifier: MIT */
/* A block of our pid is ours if it began an exec a moment ago; else /proc
 * decides, for which this one is a dead namesake's. */
#include "core/shm/registry.h"
#include "core/shm/segment.h"
#include "core/sys/clock.h"
#include "core/sys/ident.h"

#include "t/lib/tap.h"

#include <errno.h>
#include <unistd.h>

static struct ptl_shm_ident me;
static struct ptl_shm_block none;
static int dir;

static struct ptl_shm_block *make(void)
{
	struct ptl_shm_block *block = NULL;
	bool mine = false;

	ok(ptl_registry_create(dir, &me, &none, NULL, &block, &mine) == 0 &&
		   mine,
	   "a block");
	return block;
}

static int find(struct ptl_shm_block *made)
{
	struct ptl_shm_block *block;
	int err = ptl_registry_find(dir, &me, &block);

	ptl_registry_unmap(made);
	if (!err)
		ptl_registry_unmap(block);
	return err;
}

/* With no more known of the namespace than what we were told. */
static bool is_mine(uint64_t pidns)
{
	struct ptl_shm_ident guess = me;
	struct ptl_shm_block *block;
	bool mine;

	guess.pidns = pidns;
	mine = ptl_registry_is_mine(dir, &guess, &block);
	if (mine)
		ptl_registry_unmap(block);
	return mine;
}

static void told(void)
{
	struct ptl_shm_block *block = make();

	block->parent.pid = (uint32_t)getppid();
	ok(!is_mine(me.pidns), "it did not call exec");
	ptl_registry_exec(block, true);
	ok(!is_mine(0), "no namespace was told");
	ok(!is_mine(me.pidns + 1), "the wrong one was");
	block->parent.pid++;
	ok(!is_mine(me.pidns), "it has another parent");
	block->parent.pid--;
	ok(is_mine(me.pidns), "after all that it is still there, ours");
	ok(!is_mine(me.pidns), "that is told once, too");
	ptl_registry_unmap(block);
}

int main(void)
{
	struct ptl_shm_block *block;

	plan(17);
	ptl_clock_init();
	ptl_ident_self(&me);
	me.born = 1;
	dir = ptl_rundir_open(me.uid, true);
	ok(dir >= 0, "the run directory");

	is_int(find(make()), ENOENT, "of one that began before us");
	block = make();
	ptl_registry_exec(block, true);
	is_int(find(block), 0,
	       "it called exec just now: we are what it became");
	is_int(ptl_registry_find(dir, &me, &block), ENOENT,
	       "that is told once");
	block = make();
	ptl_registry_exec(block, true);
	ptl_registry_exec(block, false);
	is_int(find(block), ENOENT, "its exec failed");
	block = make();
	block->exec_since = ptl_boottime() - 1000000000;
	is_int(find(block), ENOENT, "it is long ago");
	told();
	return done();
}
