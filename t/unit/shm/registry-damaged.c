/* SPDX-License-Identifier: MIT */
/*
 * Two processes that both find the registry damaged: one replaces it, and the
 * other takes that one, at whatever moment it comes.
 */
#include "core/shm/registry.h"
#include "core/shm/rundir.h"

#include "t/lib/shm.h"
#include "t/lib/step.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOT_KNOWN 99

static int dir;

static void damage(void)
{
	unlinkat(dir, PTL_REGISTRY_NAME, 0);
	close(openat(dir, PTL_REGISTRY_NAME, O_CREAT | O_WRONLY, 0600));
}

/* A process marks the registry that it has found. */
static int come(uint32_t mark, struct ptl_registry *reg)
{
	int err = ptl_registry_open(dir, (uint32_t)geteuid(), true, reg);

	if (!err)
		reg->shm->reserved[mark] = 1;
	return err;
}

static int stepped(struct proc *self, void *arg)
{
	struct ptl_registry reg;
	int err;

	(void)self;
	(void)arg;
	step_here();
	err = come(0, &reg);
	step_here();
	return err ? NOT_KNOWN : 0;
}

/* We come at that step of theirs: is ours another than the one that there is?
 * False: they were through. */
static bool meet(long turn, int *bad, int *busy)
{
	struct ptl_registry ours, there;
	int err = -1, theirs;
	struct proc p;

	damage();
	proc_start(&p, stepped, NULL);
	if (!step_await(&p))
		skip_all("no ptrace(2)");
	for (long n = 0; step_on(&p, PTRACE_SYSCALL); n++)
		if (n == turn)
			err = come(1, &ours);
	theirs = step_finish(&p);
	if (err < 0)
		return false;
	*busy += err == EAGAIN;
	if (ptl_registry_open(dir, (uint32_t)geteuid(), false, &there) != 0 ||
	    theirs != 0 || (err && err != EAGAIN) ||
	    there.shm->reserved[0] != 1 ||
	    there.shm->reserved[1] != (err == 0)) {
		diag("step %ld: we %d, they %d", turn, err, theirs);
		(*bad)++;
	}
	ptl_registry_close(&there);
	if (!err)
		ptl_registry_close(&ours);
	return true;
}

int main(int argc, char **argv)
{
	int bad = 0, busy = 0;
	long turn = 0;

	(void)argc;
	step_needed();
	private_shm(argv);
	plan(3);
	dir = ptl_rundir_open((uint32_t)geteuid(), true);
	ok(dir >= 0, "the run directory");
	while (meet(turn, &bad, &busy))
		turn++;
	ok(turn > 20 && bad == 0, "%d of %ld steps go wrong", bad, turn);
	ok(busy > 0 && busy < turn,
	   "we do not wait for one that is stopped: %d of %ld", busy, turn);
	return done();
}
