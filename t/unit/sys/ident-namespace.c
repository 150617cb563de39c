/* SPDX-License-Identifier: MIT */
/* Of a process in another pid namespace nobody says that it is gone. */
#include "core/sys/clock.h"
#include "core/sys/ident.h"

#include "t/lib/tap.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOT_ALLOWED 200

static struct ptl_shm_ident *parent;

/* Pid 1 of its namespace, with the /proc of the other. */
static int look(void)
{
	struct ptl_shm_ident me, child = *parent;
	int bad = 0;

	ptl_ident_self(&me);
	bad |= (me.pid != 1) << 0;
	bad |= (me.pidns == parent->pidns || me.pidns == 0) << 1;
	bad |= (ptl_ident_life(parent, NULL) != PTL_LIFE_ALIVE) << 2;
	bad |= (ptl_ident_life(&me, NULL) != PTL_LIFE_ALIVE) << 3;
	bad |= (!ptl_tid_alive(1)) << 4;
	bad |= (ptl_proc_parent(1) != 0) << 5;
	me.pid = 4000;
	bad |= (ptl_ident_life(&me, NULL) != PTL_LIFE_GONE) << 6;
	ptl_ident_child(&child);
	bad |= (child.pid != 1 || child.pidns != me.pidns) << 7;
	return bad;
}

/* A child in the same namespace takes its parent's word for it. */
static int take_word(void)
{
	struct ptl_shm_ident me = *parent;

	me.pidns = 1;
	ptl_ident_child(&me);
	return me.pid != (uint32_t)getpid() || me.pidns != 1 ||
	       me.born < parent->born;
}

/* unshare() is in a child, so that this process stays in one namespace. */
static void start_other_world(void)
{
	int status = -1;
	pid_t pid;

	if (unshare(CLONE_NEWPID))
		_exit(NOT_ALLOWED);
	pid = fork();
	if (pid == 0)
		_exit(look());
	waitpid(pid, &status, 0);
	_exit(status >> 8);
}

int main(void)
{
	int status = -1;
	pid_t pid;

	ptl_clock_init();
	parent = mmap(NULL, sizeof(*parent), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ptl_ident_self(parent);
	pid = fork();
	if (pid == 0)
		start_other_world();
	waitpid(pid, &status, 0);
	if (status >> 8 == NOT_ALLOWED)
		skip_all("may not make a pid namespace");
	plan(2);
	is_int(status, 0, "across namespaces");
	pid = fork();
	if (pid == 0)
		_exit(take_word());
	waitpid(pid, &status, 0);
	is_int(status, 0, "a child in the same one");
	return done();
}
