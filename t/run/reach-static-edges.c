/* SPDX-License-Identifier: MIT */
/* Programs that do what is rare, for reach-static-edges.t. */
#include <asm/prctl.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/format/patches.h"

#define FORKS 100
#define THREADS 4
#define LOOKS 5

extern char **environ;

static void look(const char *path)
{
	struct stat st;

	stat(path, &st);
}

static int status_of(pid_t child)
{
	int status = -1;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

/* ---- %gs is the program's --------------------------------------------- */

static long set_gs(long *to)
{
#if defined(BY_INSTRUCTION)
	if (getauxval(AT_HWCAP2) & 2) {
		__asm__ volatile("wrgsbase %0" : : "r"(to));
		return 0;
	}
#endif
	return syscall(SYS_arch_prctl, ARCH_SET_GS, to);
}

static int use_gs(void)
{
	static long own[64];
	long first, sum = 0;

	for (int i = 0; i < 64; i++)
		own[i] = 0x123456789 + i;
	look("/before");
	if (set_gs(own + 32) != 0)
		return 1;
	look("/after");
	if (fork() == 0)
		_exit(0);
	wait(NULL);
	__asm__ volatile("movq %%gs:0, %0" : "=r"(first));
	for (int i = 0; i < 64; i++)
		sum += own[i];
	printf("%lx %lx\n", first, sum);
	return 5;
}

/* ---- threads of a child ------------------------------------------------ */

static pthread_barrier_t barrier;

static void *run(void *path)
{
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < LOOKS; i++)
		look(path);
	return NULL;
}

static void run_threads(void)
{
	char path[] = "/in-thread";
	pthread_t thread[THREADS];

	pthread_barrier_init(&barrier, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, run, path) != 0)
			abort();
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

/* ---- handlers that jump out of calls of a thread ------------------------- */

#define JUMPS 2000

static sigjmp_buf out;

static void jump(int signo)
{
	(void)signo;
	siglongjmp(out, 1);
}

static void *jump_often(void *path)
{
	static volatile int nr;

	for (nr = 0; nr < JUMPS; nr++)
		if (sigsetjmp(out, 1) == 0)
			raise(SIGUSR1);
	look(path);
	return NULL;
}

static int jump_in_thread(void)
{
	const struct sigaction action = {.sa_handler = jump};
	char path[] = "/jumped";
	pthread_t thread;

	sigaction(SIGUSR1, &action, NULL);
	if (pthread_create(&thread, NULL, jump_often, path) != 0)
		return 1;
	pthread_join(thread, NULL);
	return 7;
}

/* ---- more threads at once than any other test has ------------------------ */

#define CROWD 2500

static atomic_int nr_looked;

static void *look_and_wait(void *path)
{
	look(path);
	nr_looked++;
	pthread_barrier_wait(&barrier);
	return NULL;
}

/* Not where there cannot be so many. */
static int crowd(void)
{
	static pthread_t thread[CROWD];
	char path[] = "/in-crowd";
	pthread_attr_t small;
	int nr = 0;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 32768);
	pthread_barrier_init(&barrier, NULL, CROWD + 1);
	for (; nr < CROWD; nr++)
		if (pthread_create(&thread[nr], &small, look_and_wait, path))
			return 1;
	pthread_barrier_wait(&barrier);
	while (nr > 0)
		pthread_join(thread[--nr], NULL);
	printf("%d looked\n", nr_looked);
	return 8;
}

/* ---- children of vfork that are killed within a call --------------------- */

#define KILLED 100

static _Atomic pid_t victim;

static void *kill_all(void *nr)
{
	pid_t last = 0, next;

	for (*(int *)nr = 0; *(int *)nr < KILLED; last = next, ++*(int *)nr) {
		while ((next = victim) == last)
			;
		kill(next, SIGKILL);
	}
	return NULL;
}

/* What is stored there by the child its parent finds. */
static void *vfork_often(void *path)
{
	for (int i = 0; i < KILLED; i++) {
		pid_t child = vfork();

		if (child == 0) {
			look("/in-victim");
			victim = getpid();
			for (;;)
				look("/in-victim");
		}
		waitpid(child, NULL, 0);
	}
	look(path);
	return NULL;
}

static int kill_children(void)
{
	char path[] = "/behind-them";
	pthread_t thread, killer;
	int nr;

	if (pthread_create(&killer, NULL, kill_all, &nr) != 0 ||
	    pthread_create(&thread, NULL, vfork_often, path) != 0)
		return 1;
	pthread_join(thread, NULL);
	pthread_join(killer, NULL);
	printf("%d killed\n", nr);
	return 4;
}

static int fork_often(void)
{
	for (int i = 0; i < FORKS; i++) {
		pid_t child = fork();

		if (child == 0) {
			run_threads();
			_exit(3);
		}
		if (status_of(child) != 3)
			return 1;
	}
	return 6;
}

/* ---- posix_spawn() ----------------------------------------------------- */

static int spawn(char **argv)
{
	pid_t child;
	int error = posix_spawnp(&child, argv[0], NULL, NULL, argv, environ);

	if (error != 0) {
		printf("%s\n", strerror(error));
		return 9;
	}
	return status_of(child);
}

/* ---- a child whose stack is small, as that of musl's posix_spawn() ------ */

#define CRAMPED 1024
#define BELOW 16384

static int execute(void *argv)
{
	look("/in-cramped");
	execve(*(char **)argv, argv, environ);
	_exit(127);
}

/* What is below its stack is its parent's. */
static int cramp(char **argv)
{
	static _Alignas(16) unsigned char stack[BELOW + CRAMPED];
	int status, spoiled = 0;

	memset(stack, 0x5a, BELOW);
	status = status_of(clone(execute, stack + sizeof(stack),
				 CLONE_VM | CLONE_VFORK | SIGCHLD, argv));
	for (int i = 0; i < BELOW; i++)
		spoiled += stack[i] != 0x5a;
	printf("%d bytes spoiled\n", spoiled);
	return status;
}

/* ---- one who asks and does not execute ----------------------------------- */

static int ask(const char *socket_path, const char *file)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct ptl_patch_question question = {.magic = PTL_PATCH_QUESTION,
					      .what = PTL_PATCH_REACH};
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(int))];
	} control = {.header = {CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
	struct iovec data = {&question, sizeof(question)};
	struct msghdr message = {.msg_iov = &data,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control)};
	int to = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	int of = open(file, O_RDONLY | O_CLOEXEC);
	const struct timeval patience = {10, 0};

	/* Another test may have stopped its controller. */
	setsockopt(to, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	if (of < 0 || strlen(socket_path) >= sizeof(address.sun_path))
		return -1;
	strcpy(address.sun_path, socket_path);
	memcpy(CMSG_DATA(&control.header), &of, sizeof(of));
	if (connect(to, (struct sockaddr *)&address, sizeof(address)) != 0 ||
	    sendmsg(to, &message, 0) != (ssize_t)sizeof(question))
		return -1;
	return to;
}

static int tracer(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	char line[256];
	int pid = -1;

	while (status != NULL && fgets(line, sizeof(line), status) != NULL)
		sscanf(line, "TracerPid: %d", &pid);
	if (status != NULL)
		fclose(status);
	return pid;
}

/* Ends by SIGALRM if it is not let go of. */
static int ask_only(const char *file)
{
	int to = -1;
	glob_t found;

	if (glob("/dev/shm/ptrace-*/start.*", 0, NULL, &found) != 0)
		return 1;
	/* Of other tests there may be some. */
	for (size_t i = 0; i < found.gl_pathc && to < 0; i++) {
		char why[PTL_PATCH_WHY] = "";

		to = ask(found.gl_pathv[i], file);
		if (to >= 0 &&
		    (recv(to, why, sizeof(why), 0) != 1 || tracer() == 0)) {
			printf("not seized: %s\n", why);
			close(to);
			to = -1;
		}
	}
	if (to < 0)
		return 1;
	alarm(30);
	close(to);
	while (tracer() != 0)
		;
	return 7;
}

static int look_only(void)
{
	look("/seen");
	printf("looked\n");
	return 5;
}

/* ---- strict mode forbids also the counter ------------------------------ */

static int be_strict(void)
{
	static const char text[] = "strict\n";

	look("/before");
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
		return 1;
	syscall(SYS_write, 1, text, strlen(text));
	syscall(SYS_write, 1, text, strlen(text));
	/* exit_group(2) is not permitted. */
	return (int)syscall(SYS_exit, 6);
}

/* As libseccomp asks whether the call exists. */
static int ask_strict(void)
{
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 1, NULL) != -1)
		return 1;
	look("/asked");
	return 4;
}

int main(int argc, char **argv)
{
	if (strcmp(argv[1], "strict") == 0)
		return be_strict();
	if (strcmp(argv[1], "ask-strict") == 0)
		return ask_strict();
	if (strcmp(argv[1], "gs") == 0)
		return use_gs();
	if (strcmp(argv[1], "look") == 0)
		return look_only();
	if (strcmp(argv[1], "crowd") == 0)
		return crowd();
	if (strcmp(argv[1], "killed") == 0)
		return kill_children();
	if (strcmp(argv[1], "jumps") == 0)
		return jump_in_thread();
	if (strcmp(argv[1], "forks") == 0)
		return fork_often();
	if (strcmp(argv[1], "spawn") == 0)
		return spawn(argv + 2);
	if (strcmp(argv[1], "cramp") == 0)
		return cramp(argv + 2);
	if (strcmp(argv[1], "system") == 0)
		return WEXITSTATUS(system(argv[2]));
	if (strcmp(argv[1], "ask") == 0 && argc > 2)
		return ask_only(argv[2]);
	return 64;
}
