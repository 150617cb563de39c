/* SPDX-License-Identifier: MIT */
/* A process knows itself, is known by its pid, and lives. */
#include "core/sys/clock.h"
#include "core/sys/ident.h"

#include "t/lib/proc.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

static int wait_for_end(struct proc *self, void *arg)
{
	if (arg)
		prctl(PR_SET_NAME, arg);
	proc_tell(self);
	proc_await(self);
	return 0;
}

int main(void)
{
	struct ptl_shm_ident self, child;
	struct stat st;
	struct proc p;
	char boot[40], again[40], name[] = "a) Z 1 (b";

	plan(17);
	ptl_clock_init();
	ptl_ident_self(&self);
	is_int(self.pid, getpid(), "pid");
	is_int(self.uid, geteuid(), "uid");
	is_int(stat("/proc/self/ns/pid", &st), 0, "there is /proc");
	is_int((long long)self.pidns, (long long)st.st_ino, "pid namespace");
	ok(self.born <= ptl_boottime() && self.born + 1000000000 >
	   ptl_boottime(), "born just now");
	is_int(ptl_ident_life(&self, NULL), PTL_LIFE_ALIVE, "we are alive");

	proc_start(&p, wait_for_end, name);
	proc_await(&p);
	is_int(ptl_ident_of(p.pid, &child), 0, "a child");
	ok(child.pid == (uint32_t)p.pid && child.uid == geteuid() &&
	   child.pidns == self.pidns, "is who it is");
	is_int(ptl_ident_life(&child, NULL), PTL_LIFE_ALIVE,
	       "and alive, in spite of its name");
	is_int(ptl_proc_parent(p.pid), getpid(), "its parent are we");
	child.born -= 5000000000;
	is_int(ptl_ident_life(&child, NULL), PTL_LIFE_GONE,
	       "somebody of its pid who was seen before it began is gone");
	proc_tell(&p);
	proc_wait(&p);
	is_int(ptl_ident_of(p.pid, &child), ESRCH, "nobody is nobody");
	is_int(ptl_proc_parent(p.pid), 0, "and has no parent");
	child = self;
	child.pid = 0;
	is_int(ptl_ident_life(&child, NULL), PTL_LIFE_GONE, "pid 0");
	child.pid = UINT32_MAX;
	is_int(ptl_ident_life(&child, NULL), PTL_LIFE_GONE, "pid -1");

	ptl_boot_id(boot);
	ptl_boot_id(again);
	is_int((long long)strlen(boot), 36, "boot id %s", boot);
	is_str(again, boot, "stays");
	return done();
}
