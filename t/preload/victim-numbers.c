/* SPDX-License-Identifier: MIT */
/*
 * Each call twice: by libc's function, and by its number.  Both must be
 * recorded alike.  What is behind them must be as it was: a child by number,
 * and the argument that is on the stack.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int wrong;

/* One after the other: the same results, the same errors. */
#define BOTH(function, ...) \
	do { \
		long f_, n_; \
		int e_; \
		errno = 0; \
		f_ = (long)(function); \
		e_ = errno; \
		errno = 0; \
		n_ = syscall(__VA_ARGS__); \
		if (f_ != n_ || e_ != errno) { \
			printf("%s: %ld %d, %ld %d\n", #function, f_, e_, n_, \
			       errno); \
			wrong++; \
		} \
	} while (0)

static void files(void)
{
	struct stat st;
	int fd = open("f", O_CREAT | O_RDWR, 0600);

	BOTH(close(-1), SYS_close, -1);
	BOTH(openat(AT_FDCWD, "no such", O_RDONLY), SYS_openat, AT_FDCWD,
	     "no such", O_RDONLY, 0xbad);
	BOTH(openat(-1, "no", O_CREAT, 0640), SYS_openat, -1, "no", O_CREAT,
	     0640);
	BOTH(openat(AT_FDCWD, (char *)8, O_RDONLY), SYS_openat, AT_FDCWD, 8L,
	     O_RDONLY);
	BOTH(fstatat(AT_FDCWD, "f", &st, 0), SYS_newfstatat, AT_FDCWD, "f", &st,
	     0);
	BOTH(fstat(fd, &st), SYS_fstat, fd, &st);
	BOTH(mkdirat(AT_FDCWD, "f", 0700), SYS_mkdirat, AT_FDCWD, "f", 0700);
	BOTH(write(fd, "text", 4), SYS_write, fd, "text", 4L);
	BOTH(pread(fd, &st, 4, 2), SYS_pread64, fd, &st, 4L, 2L);
	BOTH(lseek(fd, 1, SEEK_SET), SYS_lseek, fd, 1L, SEEK_SET);
	BOTH(read(-1, &st, 7), SYS_read, -1, &st, 7L);
	BOTH(fcntl(fd, F_GETFD, 0L), SYS_fcntl, fd, F_GETFD, 0L);
	BOTH(fsync(fd), SYS_fsync, fd);
	BOTH(unlinkat(AT_FDCWD, "no such", 0), SYS_unlinkat, AT_FDCWD,
	     "no such", 0);
	BOTH(chdir("."), SYS_chdir, ".");
}

static void others(void)
{
	const struct sockaddr_un at = {AF_UNIX, "no such"};
	const struct timespec moment = {0, 1};
	void *page =
		mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	/* Six arguments: the last is on the stack. */
	BOTH(mmap(page, 4096, PROT_READ, MAP_PRIVATE | MAP_FIXED, -1, 4096),
	     SYS_mmap, page, 4096L, PROT_READ, MAP_PRIVATE | MAP_FIXED, -1,
	     4096L);
	BOTH(mprotect(page, 4096, PROT_NONE), SYS_mprotect, page, 4096L,
	     PROT_NONE);
	BOTH(munmap((void *)1, 4096), SYS_munmap, 1L, 4096L);
	BOTH(socket(AF_UNIX, 99, 0), SYS_socket, AF_UNIX, 99, 0);
	BOTH(connect(-1, (const void *)&at, sizeof(at)), SYS_connect, -1, &at,
	     sizeof(at));
	BOTH(nanosleep(&moment, NULL), SYS_nanosleep, &moment, NULL);
}

/* Nothing of ours may be on the stack that the child has, too. */
static void child(void)
{
	int status = 0;
	long pid = syscall(SYS_clone, SIGCHLD, 0L, 0L, 0L, 0L);

	if (pid == 0)
		syscall(SYS_exit_group, 7);
	waitpid((pid_t)pid, &status, 0);
	printf("child: %d\n", WEXITSTATUS(status));
}

/* A child that ends so. */
static long start(int signo, int status)
{
	pid_t pid = fork();

	if (pid == 0) {
		if (signo)
			raise(signo);
		_exit(status);
	}
	return pid;
}

/* Calls whose functions are written out. */
static int by_hand(void)
{
	/* As the kernel has it. */
	struct {
		void (*handler)(int);
		unsigned long flags;
		void (*restorer)(void);
		uint64_t mask;
	} act = {SIG_IGN, SA_RESTART, NULL, 1u << (SIGUSR2 - 1)}, old;
	siginfo_t info = {.si_signo = 0};
	struct rusage usage = {.ru_maxrss = 0};
	int status = 0;

	syscall(SYS_rt_sigaction, SIGUSR1, &act, NULL, 8L);
	syscall(SYS_rt_sigaction, SIGUSR1, NULL, &old, 8L);
	printf("old: %d %lx %llx\n", old.handler == SIG_IGN, old.flags,
	       (unsigned long long)old.mask);
	printf("%ld", syscall(SYS_rt_sigaction, SIGKILL, &act, NULL, 8L));
	printf(" %d\n", errno);
	printf("%ld", syscall(SYS_rt_sigaction, SIGUSR1, 8L, NULL, 8L));
	printf(" %d\n", errno);
	syscall(SYS_wait4, start(SIGKILL, 0), &status, 0L, &usage);
	printf("killed: %d %d\n", WTERMSIG(status), usage.ru_maxrss > 0);
	syscall(SYS_waitid, P_PID, start(0, 3), &info, WEXITED, NULL);
	printf("ended: %d %d\n", info.si_code == CLD_EXITED, info.si_status);
	start(0, 4);
	syscall(SYS_wait4, -1L, NULL, 0L, NULL);
	printf("%ld", syscall(SYS_wait4, -1L, NULL, 0L, NULL));
	printf(" %d\n", errno);
	return 0;
}

int main(int argc, char **argv)
{
	const struct timespec moment = {0, 1000};
	uint32_t word = 1;
	long ret;

	if (argc > 1 && strcmp(argv[1], "hand") == 0)
		return by_hand();
	files();
	others();
	child();
	ret = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, &moment, NULL,
		      0);
	printf("futex: %ld %d\n", ret, errno == ETIMEDOUT);
	printf("unknown: %ld %d\n", syscall(100000), errno == ENOSYS);
	printf("wrong: %d\n", wrong);
	return 0;
}
