/* SPDX-License-Identifier: MIT */
/* Calls where there is little room, or somebody in the way. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define THREADS 8
#define LOOPS 10000

static void *count(void *arg)
{
	for (int i = 0; i < LOOPS; i++)
		access("/", F_OK);
	return arg;
}

static int threads(void)
{
	pthread_t id[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&id[i], NULL, count, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(id[i], NULL);
	return 0;
}

static void *nothing(void *arg)
{
	void *volatile p = malloc(10);

	free(p);
	return arg;
}

/* More than there is room for at one time, one after the other. */
static int ends(void)
{
	for (int i = 0; i < 2000; i++) {
		pthread_t id;

		if (pthread_create(&id, NULL, nothing, NULL) != 0)
			return 1;
		pthread_join(id, NULL);
	}
	return 0;
}

/* A long path and a small stack. */
static void *small(void *arg)
{
	static char path[PATH_MAX];

	memset(path, 'x', sizeof(path) - 1);
	free(malloc(100));
	*(int *)arg = open(path, O_RDONLY) != -1 || errno != ENAMETOOLONG;
	return NULL;
}

static int stack(void)
{
	pthread_attr_t attr;
	int bad = 1;
	pthread_t id;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, PTHREAD_STACK_MIN);
	if (pthread_create(&id, &attr, small, &bad) != 0)
		return 1;
	pthread_join(id, NULL);
	return bad;
}

static int fd[2];

static void *blocked(void *arg)
{
	char c;

	write(fd[1], "1", 1);
	read(*(int *)arg, &c, 1);
	return NULL;
}

/* Cancelled in a call that never returns. */
static int cancel(void)
{
	int quiet[2];
	pthread_t id;
	void *result;
	char c;

	pipe(fd);
	pipe(quiet);
	pthread_create(&id, NULL, blocked, &quiet[0]);
	read(fd[0], &c, 1);
	pthread_cancel(id);
	pthread_join(id, &result);
	return result != PTHREAD_CANCELED;
}

static volatile sig_atomic_t ticks;
static sigjmp_buf away;

static void handler(int sig)
{
	struct timespec now;

	(void)sig;
	/* One more may come before the timer is stopped. */
	if (ticks >= 200)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	access("/no/such", F_OK);
	if (++ticks == 200)
		siglongjmp(away, 1);
}

/* Handlers that call and jump, while the heap is at work. */
static int signals(void)
{
	struct itimerval often = {{0, 100}, {0, 100}};
	struct itimerval never = {{0, 0}, {0, 0}};
	volatile int bad = 0;

	signal(SIGALRM, handler);
	setitimer(ITIMER_REAL, &often, NULL);
	if (sigsetjmp(away, 1) == 0)
		for (;;) {
			errno = EDOM;
			(void)!getppid();
			access("/", F_OK);
			if (errno != EDOM && errno != ENOENT)
				bad = 1;
		}
	setitimer(ITIMER_REAL, &never, NULL);
	return bad;
}

static int child(void)
{
	volatile int opened = -2;
	int status;
	pid_t pid = vfork();

	if (pid == 0) {
		opened = open("/no/such/file", O_RDONLY);
		_exit(5);
	}
	waitpid(pid, &status, 0);
	return opened == -2 || WEXITSTATUS(status) != 5;
}

/* Nothing may be asked of the kernel that the program does not ask. */
static int filter(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigprocmask, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = {sizeof(code) / sizeof(*code), code};

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog) != 0)
		return 1;
	if (open((const char *)1, O_RDONLY) != -1 || errno != EFAULT)
		return 2;
	if (open("/no/such", O_RDONLY) != -1 || errno != ENOENT)
		return 3;
	close(open("/", O_RDONLY));
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int status = 99;

	if (strcmp(what, "threads") == 0)
		status = threads();
	else if (strcmp(what, "ends") == 0)
		status = ends();
	else if (strcmp(what, "stack") == 0)
		status = stack();
	else if (strcmp(what, "cancel") == 0)
		status = cancel();
	else if (strcmp(what, "signals") == 0)
		status = signals();
	else if (strcmp(what, "vfork") == 0)
		status = child();
	else if (strcmp(what, "seccomp") == 0)
		status = filter();
	return status;
}
