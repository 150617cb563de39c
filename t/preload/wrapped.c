/* SPDX-License-Identifier: MIT */
/*
 * wrapped HOW [N]: calls functions of libc that a tracer is likely to stand in
 * for, and says if they do what they should, however they are left; -DPLUGIN is
 * a library that is loaded and unloaded.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

int plugin_run(int fd, int nr);

#ifdef PLUGIN

int plugin_run(int fd, int nr)
{
	char byte[8];
	int n = 0;

	while (n < nr && read(fd, byte, 3) == 3)
		n++;
	return n;
}

#else

#define THREADS 8

static int nr, zero;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int failed(const char *what)
{
	printf("%s is wrong\n", what);
	return 1;
}

static int loop(void)
{
	char byte[8];

	for (int i = 0; i < nr; i++) {
		void *volatile p = malloc(100);

		pthread_mutex_lock(&lock);
		if (!p || read(zero, byte, 3) != 3)
			return failed("read");
		pthread_mutex_unlock(&lock);
		free(p);
	}
	return 0;
}

static void *thread(void *arg)
{
	return loop() ? NULL : arg;
}

static int threads(void)
{
	pthread_t id[THREADS];
	int bad = 0;

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&id[i], NULL, thread, &bad) != 0)
			return 1;
	for (int i = 0; i < THREADS; i++) {
		void *result;

		pthread_join(id[i], &result);
		bad |= !result;
	}
	return bad;
}

static int opens(const char *path)
{
	for (int i = 0; i < nr; i++) {
		void *handle = dlopen(path, RTLD_LAZY);
		int (*run)(int, int) = NULL;

		if (handle)
			run = (int (*)(int, int))dlsym(handle, "plugin_run");
		if (!run || run(zero, 42) != 42)
			return failed("plugin");
		if (dlclose(handle) != 0)
			return failed("dlclose");
	}
	return 0;
}

/* ---- values -------------------------------------------------------- */

static int numbers(int fd)
{
	static char large[1 << 20];

	errno = 4711;
	if (read(zero, large, sizeof(large)) != sizeof(large))
		return failed("ssize_t");
	if (lseek(fd, INT64_C(0x123456789ab), SEEK_SET) !=
	    INT64_C(0x123456789ab))
		return failed("off_t");
	if (lseek(fd, 0, SEEK_SET) != 0 || write(fd, large, 4) != 4)
		return failed("write");
	if (errno != 4711)
		return failed("errno");
	return 0;
}

static int pointers(void)
{
	char name[4096];
	void *p = malloc(10), *aligned = NULL;
	void *map = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	errno = 4711;
	if (!p || map == MAP_FAILED)
		return failed("pointer");
	memset(map, 1, 8192);
	p = realloc(p, 100000);
	if (!p || posix_memalign(&aligned, 256, 10) != 0 ||
	    (uintptr_t)aligned % 256 != 0)
		return failed("aligned pointer");
	memset(p, 1, 100000);
	if (getcwd(name, sizeof(name)) != name || name[0] != '/')
		return failed("getcwd");
	free(p);
	free(aligned);
	munmap(map, 8192);
	if (errno != 4711)
		return failed("errno");
	return 0;
}

static int errors(void)
{
	char name[1];
	sem_t sem;

	errno = 0;
	if (open("/no/such", O_RDONLY) != -1 || errno != ENOENT)
		return failed("-1");
	if (read(-1, name, 1) != -1 || errno != EBADF)
		return failed("-1L");
	if (getcwd(name, 1) != NULL || errno != ERANGE)
		return failed("NULL");
	if (mmap(NULL, 0, PROT_NONE, MAP_PRIVATE, -1, 0) != MAP_FAILED)
		return failed("MAP_FAILED");
	errno = 4711;
	if (pthread_mutex_trylock(&lock) != 0 ||
	    pthread_mutex_trylock(&lock) != EBUSY || errno != 4711)
		return failed("an error that is returned");
	pthread_mutex_unlock(&lock);
	sem_init(&sem, 0, 0);
	if (sem_trywait(&sem) != -1 || errno != EAGAIN)
		return failed("EAGAIN");
	return 0;
}

static int values(void)
{
	int fd = memfd_create("wrapped", MFD_CLOEXEC), bad = 0;

	for (int i = 0; i < nr && !bad; i++)
		bad = numbers(fd) || pointers() || errors();
	return bad;
}

/* ---- ways to leave a call ------------------------------------------ */

static int pipe_fd[2];
static sem_t comes;
static _Atomic int tid;
static int (*blocks)(void);
static sigjmp_buf back;

static int in_read(void)
{
	char byte;

	return (int)read(pipe_fd[0], &byte, 1);
}

static int in_sleep(void)
{
	const struct timespec hour = {3600, 0};

	return nanosleep(&hour, NULL);
}

static int in_poll(void)
{
	struct pollfd poll_fd = {pipe_fd[0], POLLIN, 0};

	return poll(&poll_fd, 1, -1);
}

static int in_sem(void)
{
	static sem_t never;

	return sem_wait(&never);
}

static int (*const blocking[])(void) = {in_read, in_sleep, in_poll, in_sem};

static void clean_up(void *arg)
{
	(*(int *)arg)++;
}

/* Until that thread sleeps, as it does in the call only. */
static void await_sleep(void)
{
	char path[64], stat[512], *state = NULL;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	while (!state || state[2] != 'S') {
		FILE *file = fopen(path, "r");

		sched_yield();
		if (file && fgets(stat, sizeof(stat), file))
			state = strrchr(stat, ')');
		if (file)
			fclose(file);
	}
}

static void *cleaned(void *arg)
{
	pthread_cleanup_push(clean_up, arg);
	tid = (int)syscall(SYS_gettid);
	sem_post(&comes);
	blocks();
	pthread_cleanup_pop(0);
	return NULL;
}

static void *jumped(void *arg)
{
	tid = (int)syscall(SYS_gettid);
	if (sigsetjmp(back, 1) == 0) {
		sem_post(&comes);
		blocks();
		return NULL;
	}
	clean_up(arg);
	return arg;
}

static void handler_jumps(int signo)
{
	(void)signo;
	siglongjmp(back, 1);
}

static void handler_exits(int signo)
{
	(void)signo;
	pthread_exit(blocks);
}

/* How the thread's call is left, and what the thread returns then. */
static int leave(void *(*start)(void *), int signo, void *expected)
{
	int nr_cleaned = 0;
	void *result;
	pthread_t id;

	if (pthread_create(&id, NULL, start, &nr_cleaned) != 0)
		return 1;
	while (sem_wait(&comes) != 0)
		;
	if (signo) {
		await_sleep();
		pthread_kill(id, signo);
	} else {
		pthread_cancel(id);
	}
	pthread_join(id, &result);
	if (result != (expected ? expected : &nr_cleaned) || nr_cleaned != 1)
		return failed("end of a call");
	return 0;
}

static int leaves(void)
{
	sem_init(&comes, 0, 0);
	if (pipe(pipe_fd) != 0)
		return 1;
	signal(SIGUSR1, handler_jumps);
	signal(SIGUSR2, handler_exits);
	for (int i = 0; i < nr; i++)
		for (int j = 0; j < 4; j++) {
			blocks = blocking[j];
			if (leave(cleaned, 0, PTHREAD_CANCELED) ||
			    leave(jumped, SIGUSR1, NULL) ||
			    leave(cleaned, SIGUSR2, (void *)blocks))
				return 1;
		}
	return 0;
}

/* A handler that is run by the call itself. */
static int pipes(void)
{
	if (pipe(pipe_fd) != 0 || close(pipe_fd[0]) != 0)
		return 1;
	signal(SIGPIPE, handler_jumps);
	for (volatile int i = 0; i < nr; i++)
		if (sigsetjmp(back, 1) == 0 && write(pipe_fd[1], "", 1) != 0)
			return failed("write");
	return loop();
}

/* ---- signals at any instruction ------------------------------------ */

#if defined(__x86_64__)
#define TRAP_FLAG 0x100

static long nr_steps, last_step;
static int jumps;

/* After each instruction; the last is left for a call, or for good. */
static void step(int signo, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;
	char byte[8];

	(void)signo;
	(void)info;
	if (++nr_steps != last_step)
		return;
	uc->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
	if (pread(zero, byte, 5, 0) != 5)
		failed("pread in a handler");
	if (jumps)
		siglongjmp(back, 1);
}

static int stepped(int trap)
{
	int *error = &errno, bad;
	char byte[8];

	/* Nothing is in the red zone. */
	__asm__ volatile("sub $128, %%rsp\n\t"
			 "pushfq\n\t"
			 "orl %0, (%%rsp)\n\t"
			 "popfq\n\t"
			 "add $128, %%rsp"
			 :
			 : "r"(trap)
			 : "memory", "cc");
	*error = 4711;
	bad = read(zero, byte, 3) != 3 || *error != 4711;
	__asm__ volatile("sub $128, %%rsp\n\t"
			 "pushfq\n\t"
			 "andl $~0x100, (%%rsp)\n\t"
			 "popfq\n\t"
			 "add $128, %%rsp"
			 :
			 :
			 : "memory", "cc");
	return bad;
}

/* A call is interrupted after its N-th instruction and some of those that
 * follow; the way is longer after a recorder was left. */
static int steps(void)
{
	struct sigaction action = {.sa_sigaction = step,
				   .sa_flags = SA_SIGINFO | SA_NODEFER};

	sigaction(SIGTRAP, &action, NULL);
	for (jumps = 0; jumps < 2; jumps++) {
		last_step = nr;
		do {
			last_step += jumps ? 45 : 3;
			nr_steps = 0;
			if (stepped(0) ||
			    (sigsetjmp(back, 1) == 0 && stepped(TRAP_FLAG)))
				return failed("interrupted read");
		} while (nr_steps == last_step);
	}
	return loop();
}
#else
static int steps(void)
{
	return loop();
}
#endif

/* ---- others -------------------------------------------------------- */

static int children(void)
{
	char *const argv[] = {"sh", "-c", "exit 3", NULL};
	sigset_t set;
	pid_t pid;
	int status, signo;
	FILE *file;

	if (system("exit 4") != 4 << 8)
		return failed("system");
	file = popen("exit 5", "r");
	if (!file || pclose(file) != 5 << 8)
		return failed("popen");
	if (posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, argv + 3) != 0 ||
	    waitpid(pid, &status, 0) != pid || status != 3 << 8)
		return failed("spawn");
	if (waitpid(pid, &status, 0) != -1 || errno != ECHILD)
		return failed("waitpid");
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	if (kill(getpid(), SIGUSR1) != 0 || sigwait(&set, &signo) != 0 ||
	    signo != SIGUSR1)
		return failed("sigwait");
	return sysconf(_SC_PAGESIZE) != 4096;
}

/* What has no exit. */
static int leaves_alone(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		execl("/no/such", "such", (char *)NULL);
		_exit(read(zero, &status, 1) == 1 ? 6 : 7);
	}
	if (waitpid(pid, &status, 0) != pid || status != 6 << 8)
		return failed("fork");
	pid = vfork();
	if (pid == 0) {
		execl("/no/such", "such", (char *)NULL);
		_exit(access("/no/such", F_OK) ? 8 : 9);
	}
	if (waitpid(pid, &status, 0) != pid || status != 8 << 8)
		return failed("vfork");
	if (syscall(SYS_getpid) != getpid())
		return failed("syscall");
	return threads();
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	int status = 2;

	nr = argc > 2 ? atoi(argv[2]) : 0;
	zero = open("/dev/zero", O_RDONLY);
	if (strcmp(how, "loop") == 0)
		status = loop();
	else if (strcmp(how, "threads") == 0)
		status = threads();
	else if (strcmp(how, "opens") == 0)
		status = opens(argv[3]);
	else if (strcmp(how, "values") == 0)
		status = values();
	else if (strcmp(how, "leaves") == 0)
		status = leaves();
	else if (strcmp(how, "pipes") == 0)
		status = pipes();
	else if (strcmp(how, "steps") == 0)
		status = steps();
	else if (strcmp(how, "children") == 0)
		status = children();
	else if (strcmp(how, "alone") == 0)
		status = leaves_alone();
	printf("%s: %d\n", how, status);
	return status;
}

#endif
