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
 * was done before that, 1.  With `hook' it does the same, until all is hooked.
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
#include <sys/sem.h>
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

static volatile int nr_signals, nr_breaks;
static int nr_broken; /* calls that those have interrupted */

static void count(int signo)
{
	if (signo == SIGRTMIN)
		nr_signals++;
	else
		nr_breaks++;
}

static void wait_by(int (*way)(void))
{
	while (way() != 1) {
		if (errno != EINTR || nr_broken == nr_breaks) {
			printf("it was interrupted: %s\n", strerror(errno));
			return;
		}
		nr_broken++;
		errno = OLD_ERRNO;
	}
}

static int answer(int (*way)(void))
{
	uint64_t before[16] = {0}, after[16] = {0};
	char line[101];
	ssize_t got;

	syscall(SYS_rt_sigprocmask, 0, NULL, before, 8);
	errno = OLD_ERRNO;
	wait_by(way);
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
	counting.sa_flags = 0;
	sigaction(SIGRTMIN + 1, &counting, NULL);
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
	if (nr_breaks != nr_broken)
		printf("%d breaks, %d noticed\n", nr_breaks, nr_broken);
	return 3;
}

static int to_go_on[2], full[2], semaphore;

/* Stopped and continued, this call fails with EINTR. */
static void *in_semaphore(void *unused)
{
	struct sembuf take = {0, -1, 0};

	if (semop(semaphore, &take, 1) != 0)
		printf("semop: %s\n", strerror(errno));
	return unused;
}

/* And this one returns what it has written so far. */
static void *in_write(void *unused)
{
	static char much[1 << 20];
	ssize_t written = write(full[1], much, sizeof(much));

	if (written != sizeof(much))
		printf("write: %zd\n", written);
	return unused;
}

static void *in_vfork(void *unused)
{
	char byte;
	pid_t child = vfork();

	if (child == 0) {
		if (read(to_go_on[0], &byte, 1) == 1)
			execlp("true", "true", (char *)NULL);
		_exit(127);
	}
	waitpid(child, NULL, 0);
	return unused;
}

static void *serve_lines(void *unused)
{
	struct sembuf give = {0, 1, 0};
	char buffer[4096];

	answer(wait_by_read);
	if (semop(semaphore, &give, 1) != 0 || write(to_go_on[1], "", 1) != 1)
		_exit(1);
	while (read(full[0], buffer, sizeof(buffer)) > 0)
		;
	while (answer(wait_by_read))
		;
	return unused;
}

/* Until the first line comes, the first thread is in that call. */
static int beside(void *(*call)(void *))
{
	pthread_t thread;

	semaphore = semget(IPC_PRIVATE, 1, 0600);
	if (semaphore < 0 || pipe(to_go_on) != 0 || pipe(full) != 0)
		return 1;
	pthread_create(&thread, NULL, serve_lines, NULL);
	call(NULL);
	close(full[1]);
	pthread_join(thread, NULL);
	semctl(semaphore, 0, IPC_RMID);
	return 3;
}

#if defined(__x86_64__)

/* Is it done?  Then it starts the controller; or, where it hooks what that
 * traces, waits for the end. */
static int is_done(uint64_t call, int hooks)
{
	if (hooks)
		return call == SYS_ppoll;
	return call == SYS_clone || call == SYS_fork;
}

static int changes(uint64_t call, int hooks)
{
	return call == SYS_ptrace || call == SYS_process_vm_writev ||
	       (hooks && call == SYS_pwrite64);
}

/* At the nr-th stop: that process gets the signal. */
static int run_until(long nr, pid_t victim, int hooks, char **argv)
{
	int status, done = 1;
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
			return done;
		if (WSTOPSIG(status) != (SIGTRAP | 0x80)) {
			signo = WSTOPSIG(status) == SIGTRAP ? 0 :
							      WSTOPSIG(status);
			continue;
		}
		ptrace(PTRACE_GETREGS, pid, NULL, &regs);
		if (is_done(regs.orig_rax, hooks))
			return done;
		if (!changes(regs.orig_rax, hooks))
			continue;
		if (--nr != 0)
			continue;
		done = 0;
		if (victim != 0) {
			kill(victim, SIGRTMIN + 1);
			continue;
		}
		kill(pid, SIGKILL);
		while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status))
			;
		return 0;
	}
}

#else

static int run_until(long nr, pid_t victim, int hooks, char **argv)
{
	(void)nr, (void)victim, (void)hooks, (void)argv;
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
		return run_until(atol(argv[2]), 0, 0, argv + 3);
	if (argc > 3 && strcmp(argv[1], "hook") == 0)
		return run_until(atol(argv[2]), 0, 1, argv + 3);
	if (argc > 4 && strcmp(argv[1], "break") == 0)
		return run_until(atol(argv[2]), atoi(argv[3]), 0, argv + 4);
	if (argc == 2 && strcmp(argv[1], "semaphore") == 0)
		return beside(in_semaphore);
	if (argc == 2 && strcmp(argv[1], "write") == 0)
		return beside(in_write);
	if (argc == 2 && strcmp(argv[1], "vfork") == 0)
		return beside(in_vfork);
	return serve(argc > 1 ? (size_t)atol(argv[1]) : 0,
		     argc > 2 ? atoi(argv[2]) : 0);
}
