/* SPDX-License-Identifier: MIT */
/*
 * victim-inherit ACTION HOW PROGRAM [ARG]...: executes PROGRAM under a filter
 * with a list of the calls that small dynamic programs make by themselves.
 * What else is called is answered by ACTION: kill, thread (kill), trap, errno.
 * HOW the filter is installed: prctl, or own, by an instruction of its own.
 */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "t/preload/own_call.h"

#define MAX 200

static const int allowed[] = {
#ifdef __x86_64__
	SYS_access,	  SYS_arch_prctl,      SYS_dup2,
	SYS_getpgrp,	  SYS_vfork,
#endif
	SYS_brk,	  SYS_clone,	       SYS_clone3,
	SYS_close,	  SYS_execve,	       SYS_exit,
	SYS_exit_group,	  SYS_faccessat,       SYS_fadvise64,
	SYS_fcntl,	  SYS_futex,	       SYS_getegid,
	SYS_geteuid,	  SYS_getgid,	       SYS_getpid,
	SYS_getppid,	  SYS_getrandom,       SYS_getuid,
	SYS_ioctl,	  SYS_lseek,	       SYS_madvise,
	SYS_mmap,	  SYS_mprotect,	       SYS_munmap,
	SYS_newfstatat,	  SYS_openat,	       SYS_pipe2,
	SYS_pread64,	  SYS_prlimit64,       SYS_read,
	SYS_rseq,	  SYS_rt_sigaction,    SYS_rt_sigprocmask,
	SYS_rt_sigreturn, SYS_set_robust_list, SYS_set_tid_address,
	SYS_statfs,	  SYS_statx,	       SYS_wait4,
	SYS_write,
};

static unsigned int action_of(const char *word)
{
	if (strcmp(word, "errno") == 0)
		return SECCOMP_RET_ERRNO | 1;
	if (strcmp(word, "trap") == 0)
		return SECCOMP_RET_TRAP;
	return strcmp(word, "thread") == 0 ? SECCOMP_RET_KILL_THREAD :
					     SECCOMP_RET_KILL_PROCESS;
}

int main(int argc, char **argv)
{
	struct sock_filter code[MAX] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
	};
	struct sock_fprog program = {1, code};

	if (argc < 4)
		return 2;
	for (size_t i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++) {
		code[program.len++] = (struct sock_filter)BPF_JUMP(
			BPF_JMP | BPF_JEQ | BPF_K, allowed[i], 0, 1);
		code[program.len++] = (struct sock_filter)BPF_STMT(
			BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	}
	code[program.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
							   action_of(argv[1]));
	if (strcmp(argv[2], "own") == 0) {
		own_call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0);
		own_call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0,
			 (long)&program);
	} else {
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
	}
	execv(argv[3], argv + 3);
	return 126;
}
