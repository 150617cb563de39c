/* SPDX-License-Identifier: MIT */
/* A process whose main thread has left is alive, and its main thread is not. */
#include "core/sys/clock.h"
#include "core/sys/ident.h"
#include "core/sys/syscall.h"

#include "t/lib/proc.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct proc me; /* main's stack goes with main */
static int tid;
static bool told_early, told;

static char main_state(void)
{
	char buf[512] = "", path[64];
	FILE *f;
	char *p;

	snprintf(path, sizeof(path), "/proc/%d/stat", getpid());
	f = fopen(path, "r");
	if (!f)
		return '?';
	p = fgets(buf, sizeof(buf), f);
	fclose(f);
	p = p ? strrchr(buf, ')') : NULL;
	return p ? p[2] : '?';
}

static void *go_on(void *arg)
{
	tid = ptl_sys_gettid();
	while (main_state() != 'Z')
		;
	told = ptl_ident_left_to(1) && !ptl_ident_left_to(0) &&
	       !ptl_ident_left_to(2);
	proc_send(&me, &tid, sizeof(tid));
	proc_send(&me, &told_early, sizeof(told_early));
	proc_send(&me, &told, sizeof(told));
	proc_await(&me);
	raise(SIGKILL);
	return arg;
}

static int leave(struct proc *self, void *arg)
{
	pthread_t thread;

	(void)arg;
	me = *self;
	told_early = ptl_ident_left_to(0);
	pthread_create(&thread, NULL, go_on, NULL);
	pthread_exit(NULL);
	return 1;
}

int main(void)
{
	struct ptl_shm_ident ident;
	struct proc p;
	int other = 0;

	plan(11);
	ptl_clock_init();
	ok(ptl_tid_alive(getpid()), "we are a thread");
	ok(!ptl_tid_alive(0) && !ptl_tid_alive(-1), "no such threads");
	proc_start(&p, leave, NULL);
	proc_receive(&p, &other, sizeof(other));
	proc_receive(&p, &told_early, sizeof(told_early));
	proc_receive(&p, &told, sizeof(told));
	ok(!told_early, "before it left it was not said to have");
	if (under_tsan())
		skip(1, "ThreadSanitizer has a thread of its own");
	else
		ok(told, "then it was, and how many others there are");
	is_int(ptl_ident_of(p.pid, &ident), 0, "there is the process");
	is_int(ptl_ident_life(&ident, NULL), PTL_LIFE_ALIVE, "it is alive");
	ok(!ptl_tid_alive(p.pid), "its main thread is not");
	ok(ptl_tid_alive(other), "another thread is");
	is_int(ptl_ident_of(other, &ident), ESRCH, "which is no process");
	proc_tell(&p);
	is_int(proc_wait(&p), 128 + SIGKILL, "it ends");
	ok(!ptl_tid_alive(other), "and the thread with it");
	return done();
}
