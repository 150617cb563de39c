/* SPDX-License-Identifier: MIT */
/* Programs that may not have what they ask for. */
#include "t/table/table.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void set_limit(int what, rlim_t value)
{
	struct rlimit limit = {value, value};

	if (setrlimit((__rlimit_resource_t)what, &limit) != 0)
		said("setrlimit", -1);
}

static int call_some(void)
{
	getppid();
	raise(0);
	return 3;
}

static void *some(void *arg)
{
	call_some();
	return arg;
}

static int descriptors(void)
{
	set_limit(RLIMIT_NOFILE, 3);
	said("open", open("/dev/null", O_RDONLY));
	try_child("child", call_some);
	said("dup", dup(0));
	close(0);
	said("open", open("/dev/null", O_RDONLY));
	said("dup2", dup2(0, 3));
	set_limit(RLIMIT_NOFILE, 0);
	close(0);
	said("open", open("/dev/null", O_RDONLY));
	try_child("child", call_some);
	return 0;
}

static int no_descriptors_exec(void)
{
	set_limit(RLIMIT_NOFILE, 4);
	say_status("system", system("echo hello; exit 3"));
	execl("/bin/sh", "sh", "-c", "echo executed; exit 4", (char *)NULL);
	said("execl", -1);
	return 1;
}

/* The hard limit stays: what is said may go to a file, too. */
static void set_file_size(rlim_t size)
{
	struct rlimit limit = {size, RLIM_INFINITY};

	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = size;
	setrlimit(RLIMIT_FSIZE, &limit);
}

static int file_size(void)
{
	int fd = open("file", O_CREAT | O_RDWR, 0600);
	int by_write, by_truncate;
	pid_t pid;

	signal(SIGXFSZ, SIG_IGN);
	set_file_size(0);
	by_write = write(fd, "x", 1) < 0 ? errno : 0;
	by_truncate = ftruncate(fd, 10) < 0 ? errno : 0;
	pid = start(call_some);
	waitpid(pid, NULL, 0);
	system("exit 3");
	set_file_size(RLIM_INFINITY);
	say_error("write", by_write);
	say_error("ftruncate", by_truncate);
	try_child("child", call_some);
	signal(SIGXFSZ, SIG_DFL);
	set_file_size(0);
	write(fd, "x", 1);
	return 0;
}

static volatile int got;

static void take(int sig)
{
	got = sig;
}

static int file_size_handler(void)
{
	int fd = open("file", O_CREAT | O_RDWR, 0600), error;

	on_signal(SIGXFSZ, take);
	set_file_size(10);
	dprintf(fd, "0123456789");
	got = 0;
	error = write(fd, "x", 1) < 0 ? errno : 0;
	set_file_size(RLIM_INFINITY);
	say_error("write", error);
	return got == SIGXFSZ;
}

static int address_space(void)
{
	pthread_t thread;

	set_limit(RLIMIT_AS, 1 << 20);
	said("malloc", malloc(1 << 24) ? 0 : -1);
	said("mmap", mmap(NULL, 1 << 22, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0) == MAP_FAILED ?
			     -1 :
			     0);
	say_error("thread", pthread_create(&thread, NULL, some, NULL));
	try_child("child", call_some);
	said("sbrk", sbrk(1 << 24) == (void *)-1 ? -1 : 0);
	return 0;
}

static int data(void)
{
	set_limit(RLIMIT_DATA, 1 << 16);
	said("malloc", malloc(1 << 24) ? 0 : -1);
	said("sbrk", sbrk(1 << 24) == (void *)-1 ? -1 : 0);
	try_child("child", call_some);
	return 0;
}

/* Root has no such limit. */
static int processes(void)
{
	pthread_t thread;
	pid_t pid = -1;

	if (setgroups(0, NULL) != 0 || setresgid(65533, 65533, 65533) != 0 ||
	    setresuid(65533, 65533, 65533) != 0)
		return 1;
	set_limit(RLIMIT_NPROC, 1);
	pid = fork();
	if (pid == 0)
		_exit(0);
	said("fork", pid);
	said("vfork", vfork());
	say_error("thread", pthread_create(&thread, NULL, some, NULL));
	said("system", system("exit 3"));
	said("popen", popen("exit 3", "r") ? 0 : -1);
	call_some();
	return 0;
}

static int pending_signals(void)
{
	sigset_t set;
	int nr = 0;

	sigfillset(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	set_limit(RLIMIT_SIGPENDING, 0);
	while (nr < 10 && sigqueue(getpid(), SIGRTMIN,
				   (union sigval){.sival_int = 1}) == 0)
		nr++;
	said("sigqueue", -1);
	say("queued: %d", nr);
	return 0;
}

static int core(void)
{
	set_limit(RLIMIT_CORE, 0);
	abort();
}

static int read_back(void)
{
	static const int all[] = {
		RLIMIT_CPU,    RLIMIT_FSIZE,  RLIMIT_DATA,	 RLIMIT_STACK,
		RLIMIT_CORE,   RLIMIT_NPROC,  RLIMIT_NOFILE,	 RLIMIT_MEMLOCK,
		RLIMIT_AS,     RLIMIT_LOCKS,  RLIMIT_MSGQUEUE,	 RLIMIT_NICE,
		RLIMIT_RTPRIO, RLIMIT_RTTIME, RLIMIT_SIGPENDING,
	};

	for (int i = 0; i < 15; i++) {
		struct rlimit limit = {0, 0};

		getrlimit((__rlimit_resource_t)all[i], &limit);
		say("%d: %lx %lx", all[i], (long)limit.rlim_cur,
		    (long)limit.rlim_max);
	}
	said("prlimit", prlimit(0, RLIMIT_NICE, NULL, NULL));
	said("nonsense", getrlimit((__rlimit_resource_t)99, NULL));
	return 0;
}

static int stack(void)
{
	set_limit(RLIMIT_STACK, 65536);
	try_child("child", call_some);
	say_status("system", system("exit 3"));
	execl("/bin/true", "true", (char *)NULL);
	said("execl", -1);
	return 0;
}

static int locked_memory(void)
{
	void *page = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	said("mlock", mlock(page, 4096));
	said("munlock", munlock(page, 4096));
	said("mlockall", mlockall(MCL_FUTURE | 8));
	said("mlockall", munlockall());
	set_limit(RLIMIT_MEMLOCK, 0);
	try_child("child", call_some);
	return 0;
}

static int all_at_once(void)
{
	signal(SIGXFSZ, SIG_IGN);
	set_limit(RLIMIT_NOFILE, 3);
	set_limit(RLIMIT_AS, 1 << 20);
	set_limit(RLIMIT_FSIZE, 1 << 20);
	set_limit(RLIMIT_CORE, 0);
	set_limit(RLIMIT_MEMLOCK, 0);
	try_child("child", call_some);
	if (vfork() == 0)
		_exit(0);
	wait(NULL);
	on_signal(SIGUSR1, take);
	raise(SIGUSR1);
	return got;
}

const struct program limit_programs[] = {
	{"descriptors", descriptors, false},
	{"no-descriptors-exec", no_descriptors_exec, false},
	{"file-size", file_size, false},
	{"file-size-handler", file_size_handler, false},
	{"address-space", address_space, false},
	{"data", data, false},
	{"processes", processes, true},
	{"pending-signals", pending_signals, false},
	{"core", core, false},
	{"read-back", read_back, false},
	{"stack", stack, false},
	{"locked-memory", locked_memory, false},
	{"all-at-once", all_at_once, false},
	{NULL, NULL, false},
};
