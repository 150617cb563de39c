/* SPDX-License-Identifier: MIT */
/* Programs that change what they may do, by prctl() and filters. */
#include "t/table/table.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int call_some(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	getppid();
	raise(0);
	return 3;
}

/* And nothing that looks at a clock. */
static int call_few(void)
{
	getppid();
	raise(0);
	return 3;
}

static void *few(void *arg)
{
	call_few();
	return arg;
}

static int name(void)
{
	char text[17] = "";

	said("set", prctl(PR_SET_NAME, "a name that is too long"));
	said("get", prctl(PR_GET_NAME, text));
	say("%s", text);
	try_child("child", call_some);
	return 0;
}

static int switches(void)
{
	int value = -1;

	said("dumpable", prctl(PR_GET_DUMPABLE));
	said("set", prctl(PR_SET_DUMPABLE, 0));
	try_child("child", call_some);
	said("get", prctl(PR_GET_DUMPABLE));
	said("pdeathsig", prctl(PR_SET_PDEATHSIG, SIGTERM));
	said("get", prctl(PR_GET_PDEATHSIG, &value));
	say("%d", value);
	said("slack", prctl(PR_SET_TIMERSLACK, 5000));
	said("get", prctl(PR_GET_TIMERSLACK));
	said("thp", prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0));
	said("get", prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0));
	said("keepcaps", prctl(PR_SET_KEEPCAPS, 1));
	said("get", prctl(PR_GET_KEEPCAPS));
	said("no new privileges", prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	said("get", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
	said("seccomp", prctl(PR_GET_SECCOMP));
	said("nonsense", prctl(99999, 1, 2, 3, 4));
	said("bad name", prctl(PR_SET_NAME, 8));
	said("syscall", syscall(SYS_prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
	try_child("child", call_some);
	return 0;
}

static int orphan(void)
{
	pid_t parent = getpid();

	if (fork() == 0) {
		/* Its parent ends first. */
		while (getppid() == parent)
			;
		_exit(5);
	}
	return 4;
}

static int reaper(void)
{
	int status = 0, sum = 0;

	said("set", prctl(PR_SET_CHILD_SUBREAPER, 1));
	start(orphan);
	while (wait(&status) > 0)
		sum += WEXITSTATUS(status);
	say("sum: %d", sum);
	return 0;
}

static int no_counter(void)
{
	int value = 0;

	said("set", prctl(PR_SET_TSC, PR_TSC_SIGSEGV));
	said("get", prctl(PR_GET_TSC, &value));
	say("value: %d", value);
	call_few();
	try_child("child", call_few);
	said("set", prctl(PR_SET_TSC, PR_TSC_ENABLE));
	return call_some();
}

static int no_counter_bare(void)
{
	pthread_t thread;

	said("set", syscall(SYS_prctl, PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0));
	pthread_create(&thread, NULL, few, NULL);
	pthread_join(thread, NULL);
	try_child("child", call_few);
	return 4;
}

static int strict(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
		write(1, "strict\n", 7);
		syscall(SYS_exit, 3);
	}
	say_end("child", pid);
	pid = fork();
	if (pid == 0) {
		syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, NULL);
		raise(0);
		_exit(4);
	}
	say_end("killed", pid);
	return 0;
}

static void *strict_thread(void *arg)
{
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
	for (int i = 0; i < 100; i++)
		write(1, "x", i % 10 == 9);
	free(malloc(10));
	write(1, "\n", 1);
	syscall(SYS_exit, 0);
	return arg;
}

static int strict_in_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, strict_thread, NULL);
	pthread_join(thread, NULL);
	return call_some();
}

#define LOAD_NR \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))
#define ANSWER(nr, what) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1), \
		BPF_STMT(BPF_RET | BPF_K, what)
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static void install(struct sock_filter *code, size_t nr)
{
	struct sock_fprog program = {(unsigned short)nr, code};

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	said("filter", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
}

static int filter_allows(void)
{
	struct sock_filter code[] = {ALLOW};
	struct sock_fprog program = {1, code};

	install(code, 1);
	said("mode", prctl(PR_GET_SECCOMP));
	said("again", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			      SECCOMP_FILTER_FLAG_TSYNC, &program));
	try_child("child", call_some);
	say_status("system", system("exit 3"));
	execl("/bin/sh", "sh", "-c", "exit 4", (char *)NULL);
	return 1;
}

static int filter_refuses(void)
{
	struct sock_filter code[] = {
		LOAD_NR,
		ANSWER(SYS_getdents64, SECCOMP_RET_ERRNO | ENOSYS),
		ANSWER(SYS_futex, SECCOMP_RET_ERRNO | EPERM),
		ANSWER(SYS_membarrier, SECCOMP_RET_ERRNO | EPERM),
		ANSWER(SYS_openat, SECCOMP_RET_ERRNO | EACCES),
		ANSWER(SYS_mmap, SECCOMP_RET_ERRNO | ENOMEM),
		ANSWER(SYS_socket, SECCOMP_RET_ERRNO | EMFILE),
		ALLOW,
	};

	install(code, sizeof(code) / sizeof(code[0]));
	said("open", open("/dev/null", O_RDONLY));
	said("getppid", getppid() > 0);
	on_signal(SIGUSR1, SIG_IGN);
	raise(SIGUSR1);
	try_child("child", call_some);
	if (vfork() == 0)
		_exit(0);
	wait(NULL);
	return 6;
}

/* Nothing but what this very program uses. */
static int filter_kills(void)
{
	struct sock_filter code[] = {
		LOAD_NR,
		ANSWER(SYS_write, SECCOMP_RET_ALLOW),
		ANSWER(SYS_exit_group, SECCOMP_RET_ALLOW),
		ANSWER(SYS_getppid, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};

	install(code, sizeof(code) / sizeof(code[0]));
	for (int i = 0; i < 100; i++)
		getppid();
	write(1, "alive\n", 6);
	_exit(7);
}

static int filter_killed(void)
{
	struct sock_filter code[] = {
		LOAD_NR,
		ANSWER(SYS_getppid, SECCOMP_RET_KILL_PROCESS),
		ALLOW,
	};

	install(code, sizeof(code) / sizeof(code[0]));
	getppid();
	return 7;
}

static void trapped(int sig, siginfo_t *si, void *context)
{
	(void)context;
	say("signal %d, code %d, call %d", sig, si->si_code,
	    si->si_syscall == SYS_getppid);
}

static int filter_traps(void)
{
	struct sigaction action = {.sa_sigaction = trapped};
	struct sock_filter code[] = {
		LOAD_NR,
		ANSWER(SYS_getppid, SECCOMP_RET_TRAP),
		ALLOW,
	};

	action.sa_flags = SA_SIGINFO;
	sigaction(SIGSYS, &action, NULL);
	install(code, sizeof(code) / sizeof(code[0]));
	getppid();
	getppid();
	return 8;
}

static void *filter_thread(void *arg)
{
	struct sock_filter code[] = {
		LOAD_NR,
		ANSWER(SYS_getppid, SECCOMP_RET_ERRNO | EPERM),
		ALLOW,
	};

	install(code, sizeof(code) / sizeof(code[0]));
	said("here", syscall(SYS_getppid));
	return arg;
}

static int filter_in_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, filter_thread, NULL);
	pthread_join(thread, NULL);
	said("there", syscall(SYS_getppid) > 0);
	return 0;
}

const struct program prctl_programs[] = {
	{"name", name, false},
	{"switches", switches, false},
	{"reaper", reaper, false},
#ifdef __x86_64__
	{"no-counter", no_counter, false},
	{"no-counter-bare", no_counter_bare, false},
#endif
	{"strict", strict, false},
	{"strict-in-thread", strict_in_thread, false},
	{"filter-allows", filter_allows, false},
	{"filter-refuses", filter_refuses, false},
	{"filter-kills", filter_kills, false},
	{"filter-killed", filter_killed, false},
	{"filter-traps", filter_traps, false},
	{"filter-in-thread", filter_in_thread, false},
	{NULL, NULL, false},
};
