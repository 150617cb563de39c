/* SPDX-License-Identifier: MIT */
/*
 * victim-unseen HOW WHAT: a filter that kills for all that libc does not call
 * for this program comes past the wrappers: HOW is by an instruction of its own
 * (own), or by libc's function, asked for by libc's handle (handle).  Then the
 * program does WHAT, and goes on.
 */
#include <dlfcn.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "t/preload/own_call.h"

#define MAX 200

extern char **environ;

static const int allowed[] = {
#ifdef __x86_64__
	SYS_arch_prctl,
	SYS_access,
	SYS_vfork,
#endif
	SYS_brk,
	SYS_clone,
	SYS_clone3,
	SYS_close,
	SYS_execve,
	SYS_exit,
	SYS_exit_group,
	SYS_faccessat,
	SYS_futex,
	SYS_getrandom,
	SYS_kill,
	SYS_madvise,
	SYS_mmap,
	SYS_mprotect,
	SYS_munmap,
	SYS_newfstatat,
	SYS_openat,
	SYS_pread64,
	SYS_prlimit64,
	SYS_read,
	SYS_rseq,
	SYS_rt_sigaction,
	SYS_rt_sigprocmask,
	SYS_rt_sigreturn,
	SYS_set_robust_list,
	SYS_set_tid_address,
	SYS_wait4,
	SYS_write,
};
/* From here on only for a new program. */
static const int starting[] = {
	SYS_openat, SYS_pread64, SYS_read, SYS_close, SYS_prlimit64,
};

static int is_allowed(int nr, int starts)
{
	for (size_t i = 0; i < sizeof(starting) / sizeof(starting[0]); i++)
		if (!starts && starting[i] == nr)
			return 0;
	return 1;
}

static void install(const char *how, int starts)
{
	static struct sock_filter code[MAX] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
	};
	static struct sock_fprog program = {1, code};
	int (*control)(int, ...) = prctl;

	for (size_t i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++) {
		if (!is_allowed(allowed[i], starts))
			continue;
		code[program.len++] = (struct sock_filter)BPF_JUMP(
			BPF_JMP | BPF_JEQ | BPF_K, allowed[i], 0, 1);
		code[program.len++] = (struct sock_filter)BPF_STMT(
			BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	}
	code[program.len++] = (struct sock_filter)BPF_STMT(
		BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	if (strcmp(how, "own") == 0) {
		own_call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0);
		own_call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0,
			 (long)&program);
		return;
	}
	*(void **)&control = dlsym(dlopen("libc.so.6", RTLD_NOW), "prctl");
	control(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	control(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void say(const char *text)
{
	if (write(1, text, strlen(text)) < 0)
		_exit(9);
}

static void *thread(void *arg)
{
	say("in the thread\n");
	return arg;
}

static void handler(int sig)
{
	(void)sig;
	say("in the handler\n");
}

static void await(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) == pid && WIFEXITED(status))
		say(WEXITSTATUS(status) == 3 ? "3\n" : "0\n");
	else
		say("killed\n");
}

static int handle(const char *what, pid_t self)
{
	char *true_argv[] = {(char *)"/bin/true", NULL};
	struct stat st;
	pthread_t id;
	pid_t pid = 0;

	if (strcmp(what, "thread") == 0) {
		pthread_create(&id, NULL, thread, NULL);
		pthread_join(id, NULL);
	} else if (strcmp(what, "fork") == 0) {
		pid = fork();
		if (pid == 0) {
			stat("/nonexistent", &st);
			_exit(3);
		}
	} else if (strcmp(what, "vfork") == 0) {
		pid = vfork();
		if (pid == 0)
			_exit(3);
	} else if (strcmp(what, "signal") == 0) {
		kill(self, SIGUSR1);
	} else if (strcmp(what, "events") == 0) {
		for (int i = 0; i < 100000; i++)
			stat("/nonexistent", &st);
	} else if (strcmp(what, "spawn") == 0) {
		posix_spawn(&pid, true_argv[0], NULL, NULL, true_argv, environ);
	} else if (strcmp(what, "forkexec") == 0) {
		pid = fork();
		if (pid == 0)
			execv(true_argv[0], true_argv);
	} else if (strcmp(what, "vforkexec") == 0) {
		pid = vfork();
		if (pid == 0) {
			execv(true_argv[0], true_argv);
			_exit(9);
		}
	} else if (strcmp(what, "exec") == 0) {
		execv(true_argv[0], true_argv);
	}
	if (pid)
		await(pid);
	return 0;
}

int main(int argc, char **argv)
{
	pid_t self = getpid();

	if (argc < 3)
		return 2;
	signal(SIGUSR1, handler);
	install(argv[1], strstr(argv[2], "exec") || strstr(argv[2], "spawn"));
	handle(argv[2], self);
	say("gone on\n");
	if (strcmp(argv[2], "exit") == 0)
		exit(5);
	return 6;
}
