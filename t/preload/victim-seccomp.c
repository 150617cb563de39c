/* SPDX-License-Identifier: MIT */
/*
 * victim-seccomp HOW: a filter that kills on everything but write,
 * rt_sigreturn and exit_group, installed by prctl or seccomp; then goes on.
 * With fork, thread or vforked one that kills on gettid and openat only.
 */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ALLOW(nr) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (nr), 0, 1), \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static struct sock_filter filter[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	ALLOW(SYS_write),
	ALLOW(SYS_rt_sigreturn),
	ALLOW(SYS_exit_group),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
};
static struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};

/* One that forbids no more than gettid(), for what has to make system calls. */
static struct sock_filter mild[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_gettid, 2, 0),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 1, 0),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
};
static struct sock_fprog mild_program = {sizeof(mild) / sizeof(mild[0]), mild};

static void say(const char *text)
{
	if (write(1, text, strlen(text)) < 0)
		_exit(9);
}

static void handler(int sig)
{
	(void)sig;
}

static void *thread(void *arg)
{
	return arg;
}

/* Fork, a thread, or the end of a process that once vforked, under a filter. */
static int go_on(const char *how)
{
	pthread_t id;
	int status = 0;
	pid_t pid;

	if (strcmp(how, "vforked") == 0) {
		pid = vfork();
		if (pid == 0)
			_exit(0);
		waitpid(pid, &status, 0);
	}
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &mild_program, 0, 0);
	if (strcmp(how, "fork") == 0) {
		pid = fork();
		if (pid == 0)
			_exit(3);
		waitpid(pid, &status, 0);
		say(WIFEXITED(status) && WEXITSTATUS(status) == 3 ?
			    "as it should\n" :
			    "killed\n");
	} else if (strcmp(how, "thread") == 0) {
		pthread_create(&id, NULL, thread, NULL);
		pthread_join(id, NULL);
	}
	say("gone on\n");
	_exit(7);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "prctl";

	signal(SIGUSR1, handler);
	/* How one asks whether there are filters at all. */
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL, 0, 0);
	syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (strcmp(how, "fork") == 0 || strcmp(how, "thread") == 0 ||
	    strcmp(how, "vforked") == 0)
		return go_on(how);
	if (strcmp(how, "strict") == 0) {
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
		say("strict\n");
		/* exit_group() is forbidden there. */
		syscall(SYS_exit, 4);
	} else if (strcmp(how, "seccomp") == 0) {
		syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
	} else {
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
	}
	say("filtered\n");
	if (strcmp(how, "exit") == 0)
		_exit(5);
	return 6;
}
