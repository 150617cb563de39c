/* SPDX-License-Identifier: MIT */
/* The dead are zombies with a status until they are reaped, then gone. */
#include "core/sys/clock.h"
#include "core/sys/ident.h"

#include "t/lib/proc.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static int exit_with(struct proc *self, void *arg)
{
	int status = *(int *)arg;

	proc_tell(self);
	proc_await(self);
	if (status < 0)
		raise(-status);
	return status;
}

/* Dies as told; its life is looked at as a zombie and afterwards. */
static void check(int how, int want, const char *what)
{
	struct ptl_shm_ident ident;
	siginfo_t info;
	struct proc p;
	int status = -2;

	proc_start(&p, exit_with, &how);
	proc_await(&p);
	ptl_ident_of(p.pid, &ident);
	is_int(ptl_ident_life(&ident, &status), PTL_LIFE_ALIVE, "%s: alive",
	       what);
	is_int(status, -2, "%s: no status yet", what);
	proc_tell(&p);
	waitid(P_PID, (id_t)p.pid, &info, WEXITED | WNOWAIT);
	is_int(ptl_ident_life(&ident, &status), PTL_LIFE_ZOMBIE, "%s: zombie",
	       what);
	is_int(status, want, "%s: status", what);
	ok(!ptl_tid_alive(p.pid), "%s: no thread of it is left", what);
	ok(!ptl_proc_maps(p.pid, "/x"), "%s: nothing is mapped", what);
	proc_wait(&p);
	is_int(ptl_ident_life(&ident, &status), PTL_LIFE_GONE, "%s: gone",
	       what);
}

static int look(struct proc *self, void *arg)
{
	int status = -2;

	(void)self;
	if (setgid(61235) || setuid(61234))
		return 99;
	if (ptl_ident_life(arg, &status) != PTL_LIFE_ZOMBIE)
		return 98;
	return status == -1 ? 42 : 43;
}

/* Who may not see the status does not take it for a 0. */
static void check_hidden(void)
{
	struct ptl_shm_ident ident;
	struct proc p, other;
	siginfo_t info;
	int how = 7;

	if (geteuid() != 0) {
		skip(1, "not root");
		return;
	}
	proc_start(&p, exit_with, &how);
	proc_await(&p);
	ptl_ident_of(p.pid, &ident);
	proc_tell(&p);
	waitid(P_PID, (id_t)p.pid, &info, WEXITED | WNOWAIT);
	proc_start(&other, look, &ident);
	is_int(proc_wait(&other), 42, "hidden: -1");
	proc_wait(&p);
}

int main(void)
{
	plan(22);
	ptl_clock_init();
	check(0, 0, "exit 0");
	check(3, 3 << 8, "exit 3");
	check(-SIGKILL, SIGKILL, "SIGKILL");
	check_hidden();
	return done();
}
