/* SPDX-License-Identifier: MIT */
/*
 * victim-tree-threads HOW: "all" makes processes in every way from eight
 * threads at once, "left" from one after the main thread has gone, "exec"
 * execs from a thread among others, "raw" clones by the bare system call.
 * Not linked with libptrace.
 */
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NR_THREADS 8
#define NR_CHILDREN 12

static char name[] = "true";
static char *const argv_true[] = {name, NULL};

static pid_t start(int how)
{
	pid_t pid;

	switch (how % 4) {
	case 0:
		pid = fork();
		if (pid == 0)
			_exit(3);
		return pid;
	case 1:
		pid = vfork();
		if (pid == 0) {
			execv("/bin/true", argv_true);
			_exit(1);
		}
		return pid;
	case 2:
		if (posix_spawn(&pid, "/bin/true", NULL, NULL, argv_true,
				environ) != 0)
			return -1;
		return pid;
	default:
		pid = fork();
		if (pid == 0) {
			execv("/bin/true", argv_true);
			_exit(1);
		}
		return pid;
	}
}

static void *make_children(void *arg)
{
	int first = *(int *)arg;

	for (int i = 0; i < NR_CHILDREN; i++)
		waitpid(start(first + i), NULL, 0);
	return NULL;
}

static void *wait_forever(void *arg)
{
	for (;;)
		pause();
	return arg;
}

static void *exec(void *arg)
{
	execl("/bin/sh", "sh", "-c", "/bin/true; exit 4", (char *)NULL);
	return arg;
}

static void clone_raw(void)
{
	for (int i = 0; i < 6; i++) {
		pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

		if (pid == 0) {
			if (i % 2)
				execv("/bin/true", argv_true);
			_exit(2);
		}
		waitpid(pid, NULL, 0);
	}
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "all";
	pthread_t threads[NR_THREADS];
	int numbers[NR_THREADS];

	if (strcmp(how, "raw") == 0) {
		clone_raw();
		return 0;
	}
	for (int i = 0; i < NR_THREADS; i++) {
		void *(*function)(void *) = make_children;

		if (strcmp(how, "exec") == 0)
			function = i < NR_THREADS - 1 ? wait_forever : exec;
		else if (strcmp(how, "left") == 0 && i > 0)
			break;
		numbers[i] = i;
		if (pthread_create(&threads[i], NULL, function,
				   &numbers[i]) != 0)
			return 1;
	}
	/* Its frame may be used no longer. */
	if (strcmp(how, "left") == 0) {
		static int zero;

		pthread_create(&threads[1], NULL, make_children, &zero);
		pthread_join(threads[0], NULL);
		pthread_exit(NULL);
	}
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
