/* SPDX-License-Identifier: MIT */
/*
 * Sends no signal to a thread that has ended, and prints what that returns: to
 * us, and to a library (-DVERSION=...) that was linked long ago.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int kill_before(pthread_t thread);

#ifdef VERSION

__asm__(".symver pthread_kill, pthread_kill@" VERSION);

int kill_before(pthread_t thread)
{
	return pthread_kill(thread, 0);
}

#else

static _Atomic int tid;

static void *end(void *arg)
{
	tid = (int)syscall(SYS_gettid);
	return arg;
}

int main(void)
{
	char task[64];
	pthread_t id;

	if (pthread_create(&id, NULL, end, NULL) != 0)
		return 1;
	while (!tid)
		sched_yield();
	snprintf(task, sizeof(task), "/proc/self/task/%d", tid);
	while (access(task, F_OK) == 0)
		sched_yield();
	printf("%d %d\n", pthread_kill(id, 0), kill_before(id));
	return 0;
}

#endif
