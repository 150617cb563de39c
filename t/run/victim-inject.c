/* SPDX-License-Identifier: MIT */
/*
 * Waits in system calls of many kinds for lines on standard input, and answers
 * each; says what is not as it was before it waited: errno, the mask of
 * signals, the result.
 *
 * With `filter' it does so behind a seccomp filter, with `hidden' where nobody
 * may look into it.  With `traced' it is traced by ptrace(2), with `busy' it
 * never waits.  With `kill N COMMAND...' it runs COMMAND and kills it when it
 * is at the N-th stop of the calls that change another process: status 0; if it
 * was done before that, 1.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OLD_ERRNO 77

static int epoll;

static int wait_by_epoll(void)
{
	struct epoll_event event;

	return epoll_wait(epoll, &event, 1, 100000);
}

static int wait_by_poll(void)
{
	struct pollfd fd = {0, POLLIN, 0};

	return poll(&fd, 1, 100000);
}

static int wait_by_select(void)
{
	struct timeval time = {100, 0};
	fd_set set;

	FD_ZERO(&set);
	FD_SET(0, &set);
	return select(1, &set, NULL, NULL, &time);
}

static int wait_by_sleep(void)
{
	const struct timespec time = {0, 100000000};
	struct pollfd fd = {0, POLLIN, 0};

	while (poll(&fd, 1, 0) == 0)
		if (nanosleep(&time, NULL) != 0)
			return -1;
	return 1;
}

static int wait_by_read(void)
{
	return 1;
}

static int (*const ways[])(void) = {wait_by_read, wait_by_epoll, wait_by_poll,
				    wait_by_select, wait_by_sleep};

static int answer(int (*way)(void))
{
	uint64_t before[16] = {0}, after[16] = {0};
	char line[101];
	ssize_t got;

	syscall(SYS_rt_sigprocmask, 0, NULL, before, 8);
	errno = OLD_ERRNO;
	if (way() != 1)
		printf("it was interrupted: %s\n", strerror(errno));
	got = read(0, line, 100);
	if (errno != OLD_ERRNO)
		printf("errno has changed to %d\n", errno);
	syscall(SYS_rt_sigprocmask, 0, NULL, after, 8);
	if (memcmp(before, after, sizeof(before)) != 0)
		printf("the mask has changed\n");
	if (got <= 0)
		return 0;
	printf("%.*s", (int)got, line);
	fflush(stdout);
	return 1;
}

static void *compute(void *arg)
{
	volatile uint64_t *sum = arg;

	for (;;) {
		void *memory = malloc(1 + *sum % 3000);

		*sum += (uintptr_t)memory & 1;
		free(memory);
	}
	return NULL;
}

static volatile int nr_signals;

static void count(int signo)
{
	(void)signo;
	nr_signals++;
}

static int serve(size_t first, int nr_threads)
{
	static uint64_t sum;
	struct epoll_event event = {.events = EPOLLIN};
	struct sigaction counting = {.sa_handler = count,
				     .sa_flags = SA_RESTART};
	sigset_t set;

	epoll = epoll_create1(0);
	epoll_ctl(epoll, EPOLL_CTL_ADD, 0, &event);
	sigaction(SIGRTMIN, &counting, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (int i = 0; i < nr_threads; i++) {
		pthread_t thread;

		pthread_create(&thread, NULL, compute, &sum);
	}
	while (answer(ways[first % (sizeof(ways) / sizeof(*ways))]))
		;
	if (nr_signals > 0)
		printf("%d signals\n", nr_signals);
	return 3;
}

#if defined(__x86_64__)

static int kill_at(long nr, char **argv)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		execv(argv[0], argv);
		_exit(127);
	}
	if (waitpid(pid, &status, 0) != pid)
		return 2;
	ptrace(PTRACE_SETOPTIONS, pid, NULL,
	       (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL));
	for (int signo = 0;;) {
		struct user_regs_struct regs;

		ptrace(PTRACE_SYSCALL, pid, NULL, (void *)(intptr_t)signo);
		signo = 0;
		if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
			return 1;
		if (WSTOPSIG(status) != (SIGTRAP | 0x80)) {
			signo = WSTOPSIG(status) == SIGTRAP ? 0 :
							      WSTOPSIG(status);
			continue;
		}
		ptrace(PTRACE_GETREGS, pid, NULL, &regs);
		/* It is done, and starts the controller. */
		if (regs.orig_rax == SYS_clone || regs.orig_rax == SYS_fork)
			return 1;
		if (regs.orig_rax != SYS_ptrace &&
		    regs.orig_rax != SYS_process_vm_writev)
			continue;
		if (--nr > 0)
			continue;
		kill(pid, SIGKILL);
		while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status))
			;
		return 0;
	}
}

#else

static int kill_at(long nr, char **argv)
{
	(void)nr, (void)argv;
	return 2;
}

#endif

static int filter(void)
{
	struct sock_filter pass = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog program = {1, &pass};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0;
}

/* The child is traced by us, and is what the test knows. */
static int traced(void)
{
	pid_t child = getpid();
	char byte;

	if (fork() == 0) {
		ptrace(PTRACE_SEIZE, child, NULL, NULL);
		printf("traced\n");
		fflush(stdout);
		_exit(read(0, &byte, 1) != 0);
	}
	wait(NULL);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "traced") == 0)
		return traced();
	if (argc == 2 && strcmp(argv[1], "busy") == 0)
		for (volatile int i = 0;; i++)
			;
	if (argc == 2 && strcmp(argv[1], "hidden") == 0)
		prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	if (argc == 2 && strcmp(argv[1], "filter") == 0 && filter() != 0)
		return 1;
	if (argc > 3 && strcmp(argv[1], "kill") == 0)
		return kill_at(atol(argv[2]), argv + 3);
	return serve(argc > 1 ? (size_t)atol(argv[1]) : 0,
		     argc > 2 ? atoi(argv[2]) : 0);
}
