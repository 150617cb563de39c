/* SPDX-License-Identifier: MIT */
/*
 * victim-refuse CALL ACTION COMMAND...: executes COMMAND under a filter that
 * answers one system call by ACTION: an error's name, or kill.
 * victim-refuse: the names of all calls that it knows, a line each.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CALL(name) \
	{ \
#name, SYS_##name \
	}

/* What the library and the tools call, and no program can do without is not
 * here: execve, mmap, exit_group. */
static const struct {
	const char *name;
	int nr;
} calls[] = {
	CALL(adjtimex),
	CALL(bind),
	CALL(clock_gettime),
	CALL(clock_nanosleep),
	CALL(clone3),
	CALL(connect),
	CALL(dup3),
	CALL(epoll_create1),
	CALL(faccessat),
	CALL(faccessat2),
	CALL(fadvise64),
	CALL(fallocate),
	CALL(fchmod),
	CALL(fchmodat),
	CALL(fchown),
	CALL(fcntl),
	CALL(fgetxattr),
	CALL(flock),
	CALL(fstat),
	CALL(ftruncate),
	CALL(futex),
	CALL(futex_waitv),
	CALL(getcwd),
	CALL(getdents64),
	CALL(getegid),
	CALL(geteuid),
	CALL(getgid),
	CALL(getpid),
	CALL(getppid),
	CALL(getrandom),
	CALL(getrusage),
	CALL(gettid),
	CALL(getuid),
	CALL(ioctl),
	CALL(kill),
	CALL(linkat),
	CALL(listen),
	CALL(lseek),
	CALL(madvise),
	CALL(membarrier),
	CALL(memfd_create),
	CALL(mkdirat),
	CALL(mremap),
	CALL(nanosleep),
	CALL(newfstatat),
	CALL(perf_event_open),
	CALL(pidfd_open),
	CALL(pidfd_send_signal),
	CALL(pipe2),
	CALL(ppoll),
	CALL(prctl),
	CALL(pread64),
	CALL(prlimit64),
	CALL(pwrite64),
	CALL(readlinkat),
	CALL(renameat2),
	CALL(rseq),
	CALL(rt_sigaction),
	CALL(rt_sigpending),
	CALL(rt_sigprocmask),
	CALL(rt_sigtimedwait),
	CALL(sched_getaffinity),
	CALL(sched_yield),
	CALL(sendmsg),
	CALL(setsid),
	CALL(sigaltstack),
	CALL(socket),
	CALL(socketpair),
	CALL(statx),
	CALL(tgkill),
	CALL(umask),
	CALL(uname),
	CALL(unlinkat),
	CALL(wait4),
	CALL(waitid),
#ifdef __x86_64__
	CALL(access),
	CALL(chmod),
	CALL(dup2),
	CALL(mkdir),
	CALL(pipe),
	CALL(poll),
	CALL(readlink),
	CALL(rename),
	CALL(unlink),
	CALL(vfork),
#endif
};

#define NR_CALLS (sizeof(calls) / sizeof(calls[0]))

static unsigned int action_of(const char *word)
{
	if (strcmp(word, "kill") == 0)
		return SECCOMP_RET_KILL_PROCESS;
	return SECCOMP_RET_ERRNO | (strcmp(word, "EPERM") == 0	? EPERM :
				    strcmp(word, "EACCES") == 0 ? EACCES :
				    strcmp(word, "EINVAL") == 0 ? EINVAL :
								  ENOSYS);
}

int main(int argc, char **argv)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {sizeof(filter) / sizeof(*filter),
					   filter};
	size_t i = 0;

	if (argc < 4) {
		for (i = 0; i < NR_CALLS; i++)
			puts(calls[i].name);
		return 0;
	}
	while (i < NR_CALLS && strcmp(calls[i].name, argv[1]) != 0)
		i++;
	if (i == NR_CALLS)
		return 125;
	filter[1].k = (unsigned int)calls[i].nr;
	filter[2].k = action_of(argv[2]);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		return 125;
	execv(argv[3], argv + 3);
	return 125;
}
