/* SPDX-License-Identifier: MIT */
/*
 * A controller that is killed while it creates a stream, at any system call,
 * in a pid namespace that ends with it: a use from another namespace leaves
 * nothing of it, but what may still be in the making for a minute.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/step.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int our_namespace;

/* Children are the first of a new one. */
static void new_namespace(void)
{
	if (setns(our_namespace, CLONE_NEWPID) || unshare(CLONE_NEWPID))
		skip_all("no pid namespaces");
}

static void use(void)
{
	stream_end(stream_make(0, NULL));
}

/* The first process of a new namespace does that. */
static pid_t start(void (*fn)(void))
{
	pid_t pid;

	new_namespace();
	pid = fork();
	if (pid == 0) {
		fn();
		_exit(0);
	}
	return pid;
}

static void create(void)
{
	step_here();
	stream_make(0, NULL);
	step_here();
}

/* Half-made files seem to be older than they are. */
static void age(void)
{
	const struct timespec old[2] = {{1000000000, 0}, {1000000000, 0}};
	char path[300];
	struct dirent *entry;
	DIR *dir = opendir("/dev/shm/ptrace-0");

	while (dir && (entry = readdir(dir)) != NULL) {
		snprintf(path, sizeof(path), "/dev/shm/ptrace-0/%s",
			 entry->d_name);
		if (entry->d_name[0] == 'x')
			utimensat(AT_FDCWD, path, old, 0);
	}
	if (dir)
		closedir(dir);
}

/* Kills it at that stop; false: it has come to the end before. */
static int kill_at(int n)
{
	struct proc p = {.pid = start(create)};
	int stops = 0;

	if (!step_await(&p))
		skip_all("no ptrace(2)");
	while (stops < n && step_on(&p, PTRACE_SYSCALL))
		stops++;
	kill(p.pid, SIGKILL);
	waitpid(p.pid, NULL, 0);
	return stops == n;
}

int main(int argc, char **argv)
{
	int n = 0, left = 0, before;

	(void)argc;
	no_sanitizer();
	if (geteuid() != 0)
		skip_all("not root");
	if (under_valgrind())
		skip_all("valgrind is no place for ptrace(2)");
	private_shm(argv);
	our_namespace = open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC);
	use();
	before = shm_files();
	for (; kill_at(n); n++) {
		age();
		waitpid(start(use), NULL, 0);
		if (shm_files() != before && left++ < 3)
			diag("killed at stop %d: %d are left", n,
			     shm_files() - before);
		use();
	}
	plan(2);
	ok(n > 20, "killed at %d stops", n);
	is_int(left, 0, "nothing is left of it");
	return done();
}
