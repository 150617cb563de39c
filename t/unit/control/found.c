/* SPDX-License-Identifier: MIT */
/* As long as a process that lives is about to record the end of another one, a
 * stream is not without processes; when that was killed, somebody else does. */
#include "core/control/processes.h"
#include "core/shm/life.h"
#include "core/shm/segment.h"
#include "core/sys/ident.h"

#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <unistd.h>

#define STREAM 4711

static struct ptl_registry registry;
static int dir;

/* The finder, in another pid namespace as far as the key says. */
static int find(struct proc *self, void *arg)
{
	struct ptl_shm_entry *entry = arg;
	uint64_t key = *ptl_registry_key(&registry, entry);
	uint32_t finder = ~0u ^ (uint32_t)getpid(),
		 life = ptl_life_take(&registry, dir);

	ptl_registry_change(&registry, entry, &key, PTL_KEY_FIND, finder, life);
	proc_turn(self);
	return 0;
}

int main(int argc, char **argv)
{
	struct ptl_shm_entry start = {.flags = PTL_ENTRY_LOADED}, *entry;
	struct proc p;

	(void)argc;
	private_shm(argv);
	plan(3);
	dir = ptl_rundir_open(geteuid(), true);
	ptl_registry_open(dir, geteuid(), true, &registry);
	ptl_ident_self(&start.ident);
	atomic_init(&start.refs[0], ptl_ref(STREAM, true));
	entry = ptl_registry_claim(&registry, NULL, &start, PTL_LIFE_OVER,
				   PTL_KEY_LIST);
	ok(entry != NULL, "an entry");
	proc_start(&p, find, entry);
	proc_await(&p);
	is_int(ptl_processes_live(geteuid(), STREAM), 1, "it is being told");
	proc_kill(&p, SIGKILL);
	is_int(ptl_processes_live(geteuid(), STREAM), 0, "by us, at last");
	return done();
}
