/* SPDX-License-Identifier: MIT */
/* A registry that grows at any moment while another process opens it is opened,
 * and is not taken for a damaged one. */
#include "core/shm/registry.h"
#include "core/shm/segment.h"
#include "core/sys/syscall.h"

#include "t/lib/shm.h"
#include "t/lib/step.h"
#include "t/lib/tap.h"

#include <sys/stat.h>
#include <unistd.h>

static struct ptl_registry registry, opened;
static int dir, err;
static long moment;

static void open_it(void)
{
	err = ptl_registry_open(dir, geteuid(), true, &opened);
}

/* Has room for so many entries. */
static void grow(uint32_t room)
{
	ptl_segment_grow(dir, PTL_REGISTRY_NAME, PTL_SHM_MAGIC_REGISTRY,
			 ptl_registry_bytes(room), geteuid());
	/* Pairs with room_of(). */
	atomic_store_explicit(&registry.shm->room, room, memory_order_release);
}

static int at(long n)
{
	if (n < moment)
		return 1;
	grow(2 * PTL_ENTRIES_FIRST);
	return 0;
}

static ino_t inode(void)
{
	struct stat st;

	return fstatat(dir, PTL_REGISTRY_NAME, &st, 0) ? 0 : st.st_ino;
}

/* False: it is done before that moment. */
static bool one(int *wrong)
{
	ino_t before;
	long steps;

	unlinkat(dir, PTL_REGISTRY_NAME, 0);
	if (ptl_registry_open(dir, geteuid(), true, &registry))
		return false;
	before = inode();
	steps = step_through(open_it, at);
	*wrong += err || inode() != before;
	if (!err)
		ptl_registry_close(&opened);
	ptl_registry_close(&registry);
	return steps >= moment;
}

int main(int argc, char **argv)
{
	int wrong = 0;

	(void)argc;
	step_needed();
	private_shm(argv);
	plan(2);
	dir = ptl_rundir_open(geteuid(), true);
	for (moment = 1; one(&wrong); moment++)
		;
	ok(moment > 50, "at %ld moments", moment);
	is_int(wrong, 0, "it is opened, and stays what it is");
	return done();
}
