/* SPDX-License-Identifier: MIT */
/*
 * Containers: pid namespaces, some of them in a user namespace of their own,
 * some in each other, all with the same /dev/shm.  Their first process starts
 * traces, and reaps nobody, or everybody; a killer takes any process.  Some
 * come to an end by themselves, others with their first process.
 */
#include "t/stress/deaths/deaths.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#define MS UINT64_C(1000000)
#define MAX_VICTIMS 512
#define TIDY_NS (40000 * MS)

enum end { TIDY, ABRUPT, KILLED };

struct kind {
	uint32_t world;
	int own_user, own_proc, reaps;
	enum end end;
	uint64_t until;
};

int dt_use(void)
{
	trace_id_t trid;
	int err = posix_trace_create(0, NULL, &trid);

	if (!err)
		err = posix_trace_shutdown(trid);
	if (err)
		dt_wrong("a use: %s", strerror(err));
	dt->count.uses++;
	return err;
}

pid_t dt_world_run(uint32_t trace, const char *what, uint64_t random)
{
	char log[96], task[64], number[16], script[2048];
	pid_t pid = fork();

	if (pid)
		return pid;
	dt->trace[trace].controller = dt_self();
	dt_trace_log(trace, log, sizeof(log));
	snprintf(task, sizeof(task), "%llu,0,%u,%u,%u,0",
		 (unsigned long long)dt_random(&random), dt->trace[trace].world,
		 trace, DT_NONE);
	snprintf(number, sizeof(number), "%d", 1 + dt_below(&random, 3));
	/* A shell's child processes, some of them in its background. */
	snprintf(script, sizeof(script),
		 "for i in $(seq %s); do '%s' %s %s & done; ('%s' %s %s); "
		 "'%s' %s %s | cat; wait",
		 number, dt->self, what, task, dt->self, what, task, dt->self,
		 what, task);
	if (strcmp(what, "work") == 0 && dt_below(&random, 3) == 0)
		execl(dt->run, dt->run, "-q", "-o", log, "sh", "-c", script,
		      NULL);
	else if (dt_below(&random, 4) == 0)
		execl(dt->run, dt->run, "-q", "-D", "-o", log, dt->self, what,
		      task, NULL);
	else
		execl(dt->run, dt->run, "-q", "-o", log, dt->self, what, task,
		      NULL);
	_exit(127);
}

/* ---- the killer --------------------------------------------------- */

static pid_t victim(uint64_t *random)
{
	pid_t pids[MAX_VICTIMS];
	struct dirent *entry;
	unsigned int n = 0;
	DIR *dir;

	if (!dt_proc_is_ours())
		return (pid_t)(2 + dt_below(random, 150));
	dir = opendir("/proc");
	while (dir && n < MAX_VICTIMS && (entry = readdir(dir)) != NULL)
		if (atoi(entry->d_name) > 1)
			pids[n++] = atoi(entry->d_name);
	if (dir)
		closedir(dir);
	return n ? pids[dt_below(random, n)] : 0;
}

static void killer(const struct kind *kind, uint64_t random)
{
	uint32_t nap = 1000 * (5 + dt_below(&random, 200));

	while (dt_now() < kind->until) {
		pid_t pid;

		dt_nap(&random, nap);
		pid = victim(&random);
		/* Rather one of those that they trace. */
		if (dt_below(&random, 8) == 0 || !dt_controls(pid))
			dt_kill(pid, kind->world);
	}
	_exit(0);
}

/* ---- the first process -------------------------------------------- */

/* The next process has a number that another had, or has. */
static void use_again(uint64_t *random)
{
	char text[16];
	int fd = open("/proc/sys/kernel/ns_last_pid", O_WRONLY | O_CLOEXEC);
	int n = snprintf(text, sizeof(text), "%u", 1 + dt_below(random, 60));

	if (fd >= 0 && write(fd, text, (size_t)n) == n)
		dt->count.reused++;
	close(fd);
}

static void one_use(uint64_t random)
{
	if (fork())
		return;
	for (int n = 1 + (int)dt_below(&random, 20); n > 0; n--)
		dt_use();
	_exit(0);
}

/* A process that is its own controller, and its children's. */
static void own_trace(const struct kind *kind, uint64_t random)
{
	struct dt_task task = {.how = "keeper",
			       .random = random,
			       .world = kind->world,
			       .trace = {DT_NONE, DT_NONE}};

	if (fork() == 0)
		dt_work(task);
}

static void step(const struct kind *kind, uint64_t *random, int depth)
{
	uint32_t trace;

	switch (dt_below(random, 10)) {
	case 0:
	case 1:
		trace = dt_trace_new(kind->world);
		if (trace != DT_NONE)
			dt_world_run(trace, "work", dt_random(random));
		break;
	case 2:
		own_trace(kind, dt_random(random));
		break;
	case 3:
		one_use(dt_random(random));
		break;
	case 4:
		if (depth < 2)
			dt_world_start(dt_random(random), kind->world);
		break;
	case 5:
	case 6:
		use_again(random);
		break;
	default:
		break;
	}
}

static void reap(void)
{
	while (waitpid(-1, NULL, WNOHANG) > 0)
		dt->count.deaths++;
}

/* All others come to their end. */
static void wait_for_all(const struct kind *kind)
{
	uint64_t patience = dt_now() + TIDY_NS, zero = 0;

	while (kill(-1, 0) == 0) {
		reap();
		dt_nap(&zero, 4000);
		if (dt_now() > patience) {
			dt_wrong("world %u does not end", kind->world);
			return;
		}
	}
}

static int depth_of(uint32_t world)
{
	int depth = 0;

	while ((world = dt->world[world].parent) < DT_WORLDS)
		depth++;
	return depth;
}

static void first_process(struct kind *kind, uint64_t random)
{
	int depth = depth_of(kind->world);
	uint64_t seed = dt_random(&random);

	dt->world[kind->world].first = dt_self();
	dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
	if (kind->own_proc && mount("proc", "/proc", "proc", 0, NULL))
		kind->own_proc = 0;
	/* Who kills without looking leaves nobody to end by himself. */
	if (!dt_proc_is_ours() && kind->end == TIDY)
		kind->end = ABRUPT;
	if (kind->end != TIDY || depth)
		kind->reaps = kind->reaps && kind->end == TIDY;
	if (fork() == 0)
		killer(kind, seed);
	while (dt_now() < kind->until) {
		dt_nap(&random, 30000);
		step(kind, &random, depth);
		if (kind->reaps)
			reap();
	}
	if (kind->end == TIDY) {
		wait_for_all(kind);
		_exit(0);
	}
	/* Its parent may be killed before it kills us. */
	if (kind->end == KILLED)
		sleep(5);
	dt_world_doom(kind->world);
	_exit(0);
}

/* ---- outside ------------------------------------------------------ */

static int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), err;

	err = fd < 0 || write(fd, text, strlen(text)) < 0;
	close(fd);
	return err;
}

int dt_world_be_root(void)
{
	char uid[32], gid[32];

	snprintf(uid, sizeof(uid), "0 %u 1", geteuid());
	snprintf(gid, sizeof(gid), "0 %u 1", getegid());
	return unshare(CLONE_NEWUSER) ||
	       write_file("/proc/self/setgroups", "deny") ||
	       write_file("/proc/self/uid_map", uid) ||
	       write_file("/proc/self/gid_map", gid);
}

static int enter(const struct kind *kind)
{
	if ((kind->own_user && dt_world_be_root()) ||
	    unshare(CLONE_NEWPID | CLONE_NEWNS))
		return -1;
	return mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL);
}

/* The parent of the first process. */
static void outside(struct kind *kind, uint64_t random)
{
	pid_t pid;

	if (enter(kind))
		_exit(1);
	pid = fork();
	if (pid < 0)
		_exit(1);
	if (pid == 0)
		first_process(kind, random);
	if (kind->end == KILLED) {
		while (dt_now() < kind->until)
			dt_nap(&random, 20000);
		dt_world_doom(kind->world);
		dt->count.worlds_killed++;
		kill(pid, SIGKILL);
	}
	waitpid(pid, NULL, 0);
	_exit(0);
}

pid_t dt_world_start(uint64_t random, uint32_t parent)
{
	struct kind kind = {.world = dt_world_new(parent)};
	pid_t pid;

	if (kind.world == DT_NONE)
		return -1;
	kind.own_user = !dt->users || dt_below(&random, 5) < 2;
	kind.own_proc = dt_below(&random, 4) > 0;
	kind.reaps = dt_below(&random, 2);
	kind.end = (enum end)dt_below(&random, 3);
	kind.until = dt_now() + MS * (200 + dt_below(&random, 2500));
	pid = fork();
	if (pid == 0)
		outside(&kind, random);
	return pid;
}

pid_t dt_world_calm(uint64_t random, uint32_t trace)
{
	struct kind kind = {.own_user = 1};
	pid_t pid = fork();

	if (pid)
		return pid;
	if (enter(&kind))
		_exit(77);
	pid = fork();
	if (pid) {
		waitpid(pid, NULL, 0);
		_exit(0);
	}
	mount("proc", "/proc", "proc", 0, NULL);
	dt_world_run(trace, "elder", random);
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
	_exit(0);
}
