/* SPDX-License-Identifier: MIT */
/* Programs that go where nothing is called as it was. */
#include "t/table/table.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void *some(void *arg)
{
	raise(0);
	getppid();
	return arg;
}

static int call_some(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, some, NULL) != 0)
		return 1;
	pthread_join(thread, NULL);
	say_status("system", system("exit 3"));
	return 7;
}

static int be_first(void)
{
	say("pid %d, parent %d", (int)getpid(), (int)getppid());
	return call_some();
}

static int processes(void)
{
	said("unshare", unshare(CLONE_NEWPID));
	try_child("first", be_first);
	said("second", fork() ? -1 : (_exit(1), 0));
	return 0;
}

/* As a container's init: the first one, with a /proc of its own. */
static int be_init(void)
{
	said("private", mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL));
	said("proc", mount("proc", "/proc", "proc", 0, NULL));
	said("shm", mount("tmpfs", "/dev/shm", "tmpfs", 0, NULL));
	try_child("child", be_first);
	execl("/bin/sh", "sh", "-c", "echo $$; (exit 5); echo $?; exit 6",
	      (char *)NULL);
	return 1;
}

static int container(void)
{
	said("unshare", unshare(CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWUTS |
				CLONE_NEWIPC | CLONE_NEWNET));
	try_child("init", be_init);
	return 0;
}

static int first_of_clone(void *arg)
{
	(void)arg;
	return be_first();
}

/* Signals and children of a process that cannot see its own parent. */
static int cloned(void)
{
	static char stack[65536] __attribute__((aligned(64)));
	pid_t pid = clone(first_of_clone, stack + sizeof(stack),
			  CLONE_NEWPID | SIGCHLD, NULL);

	say_end("clone", pid);
	pid = (pid_t)syscall(SYS_clone, CLONE_NEWPID | SIGCHLD, NULL, NULL,
			     NULL, NULL);
	if (pid == 0)
		_exit(be_first());
	say_end("syscall", pid);
	return 0;
}

static int be_killed_init(void)
{
	int fds[2];
	char c;

	pipe(fds);
	if (fork() == 0) {
		close(fds[0]);
		write(fds[1], "x", 1);
		pause();
		_exit(0);
	}
	read(fds[0], &c, 1);
	raise(0);
	_exit(9);
}

static int init_ends(void)
{
	said("unshare", unshare(CLONE_NEWPID));
	try_child("init", be_killed_init);
	return 0;
}

static int user(void)
{
	int got = unshare(CLONE_NEWUSER);

	said("unshare", got);
	say("uid: %d", (int)getuid());
	try_child("child", call_some);
	return call_some();
}

static int user_of_anybody(void)
{
	if (geteuid() == 0 && setuid(65534) != 0)
		return 1;
	return user();
}

static int others(void)
{
	said("uts", unshare(CLONE_NEWUTS));
	said("name", sethostname("table", 5));
	said("ipc", unshare(CLONE_NEWIPC));
	said("net", unshare(CLONE_NEWNET));
	said("cgroup", unshare(CLONE_NEWCGROUP));
	said("files", unshare(CLONE_FILES | CLONE_FS));
	said("nonsense", unshare(1));
	try_child("child", call_some);
	return call_some();
}

/* Not where we were built: the library has to be there for the new image. */
static const char *place_to_hide(void)
{
	const char *build = getenv("abs_top_builddir");

	return build && strncmp(build, "/tmp/", 5) == 0 ? "/mnt" : "/tmp";
}

static int hidden(void)
{
	const char *place = place_to_hide();

	said("unshare", unshare(CLONE_NEWNS));
	said("private", mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL));
	said("shm", mount("tmpfs", "/dev/shm", "tmpfs", 0, NULL));
	said("tmp", mount("tmpfs", place, "tmpfs", 0, NULL));
	try_child("child", call_some);
	say("entries: %d", count_entries(place));
	execl("/bin/sh", "sh", "-c", "exit 4", (char *)NULL);
	return 1;
}

static int no_proc(void)
{
	said("unshare", unshare(CLONE_NEWNS));
	said("private", mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL));
	said("proc", mount("tmpfs", "/proc", "tmpfs", 0, NULL));
	try_child("child", call_some);
	call_some();
	execl("/bin/sh", "sh", "-c", "exit 5", (char *)NULL);
	return 1;
}

static int read_only(void)
{
	said("unshare", unshare(CLONE_NEWNS));
	said("private", mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL));
	said("shm", mount("tmpfs", "/dev/shm", "tmpfs", MS_RDONLY, NULL));
	try_child("child", call_some);
	return call_some();
}

static int joined(void)
{
	int fd = open("/proc/self/ns/net", O_RDONLY);

	said("unshare", unshare(CLONE_NEWNET));
	said("back", setns(fd, CLONE_NEWNET));
	said("wrong kind", setns(fd, CLONE_NEWUTS));
	said("none", setns(-1, 0));
	return call_some();
}

const struct program namespace_programs[] = {
	{"processes", processes, true},
	{"container", container, true},
	{"cloned", cloned, true},
	{"init-ends", init_ends, true},
	{"user", user, true},
	{"user-of-anybody", user_of_anybody, false},
	{"others", others, true},
	{"hidden", hidden, true},
	{"no-proc", no_proc, true},
	{"read-only", read_only, true},
	{"joined", joined, true},
	{NULL, NULL, false},
};
