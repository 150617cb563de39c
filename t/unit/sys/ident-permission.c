/* SPDX-License-Identifier: MIT */
/* Who may trace whom is what kill(2) says, but never of groups. */
#include "core/sys/ident.h"

#include "t/lib/proc.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <unistd.h>

static int become_nobody(struct proc *self, void *arg)
{
	struct ptl_shm_ident ident;
	int bad = 0;

	(void)self, (void)arg;
	if (setgid(61235) || setuid(61234))
		return 99;
	bad |= (ptl_proc_permission(getpid()) != 0) << 0;
	bad |= (ptl_proc_permission(1) != EPERM) << 1;
	bad |= (ptl_ident_of(1, &ident) != 0) << 2;
	bad |= (ident.uid != 0) << 3;
	bad |= (ptl_ident_of(getpid(), &ident) != 0) << 4;
	bad |= (ident.uid != 61234) << 5;
	return bad;
}

static int change_effective(struct proc *self, void *arg)
{
	(void)arg;
	if (seteuid(61234))
		return 99;
	proc_tell(self);
	proc_await(self);
	return 0;
}

int main(void)
{
	struct ptl_shm_ident ident;
	struct proc p;

	plan(7);
	is_int(ptl_proc_permission(getpid()), 0, "ourselves");
	is_int(ptl_proc_permission(0), ESRCH, "0 is no process");
	is_int(ptl_proc_permission(-1), ESRCH, "nor is -1");
	is_int(ptl_proc_permission(-getpgrp()), ESRCH, "nor our group");
	is_int(ptl_proc_permission(0x7ffffff0), ESRCH, "there is none such");
	if (geteuid() != 0) {
		skip(2, "not root");
		return done();
	}
	proc_start(&p, become_nobody, NULL);
	is_int(proc_wait(&p), 0, "an ordinary user");
	proc_start(&p, change_effective, NULL);
	proc_await(&p);
	ptl_ident_of(p.pid, &ident);
	is_int(ident.uid, 61234, "the effective uid is the one that counts");
	proc_tell(&p);
	proc_wait(&p);
	return done();
}
