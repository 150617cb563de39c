/* SPDX-License-Identifier: MIT */
/* The ways to make another process: each child works, and ends as it likes. */
#include "t/stress/deaths/deaths.h"

#include <grp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Some are waited for, some are left to whoever reaps, if anybody does. */
static void leave(pid_t pid, uint64_t *random)
{
	if (pid > 0 && dt_below(random, 2))
		waitpid(pid, NULL, 0);
}

static struct dt_task task_of(struct dt_task *parent, const char *how)
{
	struct dt_task task = *parent;

	task.how = how;
	task.random = dt_random(&parent->random);
	task.depth++;
	return task;
}

static pid_t by_fork(struct dt_task *task)
{
	struct dt_task child = task_of(task, "fork");
	pid_t pid = fork();

	if (pid == 0)
		dt_work(child);
	return pid;
}

static void write_task(char *text, size_t size, struct dt_task *parent)
{
	struct dt_task task = task_of(parent, "exec");

	snprintf(text, size, "%llu,%u,%u,%u,%u,%d",
		 (unsigned long long)task.random, task.depth, task.world,
		 task.trace[0], task.trace[1], task.left);
}

static pid_t by_vfork(struct dt_task *task)
{
	char text[96];
	pid_t pid;

	write_task(text, sizeof(text), task);
	pid = vfork();
	if (pid == 0) {
		execl(dt->self, dt->self, "work", text, NULL);
		_exit(127);
	}
	return pid;
}

static pid_t by_spawn(struct dt_task *task)
{
	char text[96], work[] = "work";
	char *argv[] = {dt->self, work, text, NULL};
	pid_t pid;

	write_task(text, sizeof(text), task);
	return posix_spawn(&pid, dt->self, NULL, NULL, argv, environ) ? -1 :
									pid;
}

static pid_t by_shell(struct dt_task *task)
{
	char one[96], two[96], script[1400];
	pid_t pid;

	write_task(one, sizeof(one), task);
	write_task(two, sizeof(two), task);
	snprintf(script, sizeof(script),
		 "'%s' work %s & (exec '%s' work %s) | cat; kill -9 $$",
		 dt->self, one, dt->self, two);
	pid = fork();
	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", script, NULL);
		_exit(127);
	}
	return pid;
}

/* No wrapper of ours sees it. */
static pid_t by_clone(struct dt_task *task)
{
	struct dt_task child = task_of(task, "by_clone");
	pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

	if (pid == 0) {
		dt_put(dt_writer_new(&child), 20);
		_exit(0);
	}
	return pid;
}

static pid_t as_daemon(struct dt_task *task)
{
	struct dt_task child = task_of(task, "as_daemon");
	pid_t pid = fork();

	if (pid == 0) {
		setsid();
		if (fork() == 0)
			dt_work(child);
		_exit(0);
	}
	return pid;
}

/* Another user, by exec as most do, or without. */
static pid_t as_guest(struct dt_task *task)
{
	struct dt_task child = task_of(task, "as_guest");
	pid_t pid;

	if (!dt->users || geteuid() != 0)
		return by_fork(task);
	pid = fork();
	if (pid)
		return pid;
	/* In a user namespace there is no such user. */
	if (setgroups(0, NULL) || setresgid(DT_GUEST, DT_GUEST, DT_GUEST) ||
	    setresuid(DT_GUEST, DT_GUEST, DT_GUEST))
		dt_work(child);
	dt->count.guests++;
	if (dt_below(&child.random, 4))
		dt_exec("work", &child);
	child.left = 1;
	dt_work(child);
}

/* The first process of a pid namespace, traced from outside. */
static pid_t elsewhere(struct dt_task *task)
{
	struct dt_task child = task_of(task, "elsewhere");
	pid_t pid = fork();

	if (pid)
		return pid;
	if (unshare(CLONE_NEWPID) || fork() == 0)
		dt_work(child);
	wait(NULL);
	_exit(0);
}

static void *thread(void *arg)
{
	dt_put(arg, 50);
	return NULL;
}

static pid_t by_thread(struct dt_task *task)
{
	pthread_t other;

	if (pthread_create(&other, NULL, thread, dt_writer_new(task)) == 0)
		pthread_join(other, NULL);
	return 0;
}

void dt_beget(struct dt_task *task, struct dt_writer *writer)
{
	static pid_t (*const ways[])(struct dt_task * task) = {
		by_fork,  by_fork,  by_fork,   by_vfork, by_vfork,  by_spawn,
		by_shell, by_clone, as_daemon, as_guest, elsewhere, by_thread,
	};
	unsigned int nr = sizeof(ways) / sizeof(ways[0]);

	dt_put(writer, 1);
	if (task->depth >= DT_DEPTH)
		return;
	leave(ways[dt_below(&task->random, nr)](task), &task->random);
	dt_put(writer, 1);
}
