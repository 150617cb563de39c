/* SPDX-License-Identifier: MIT */
/*
 * victim-fields HOW: does what process:*, thread:name and file:chdir have
 * fields of.  What a test compares with them goes to standard output.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define BURNT_US 20000

static long used_us(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_utime.tv_sec * 1000000 + usage.ru_utime.tv_usec +
	       usage.ru_stime.tv_sec * 1000000 + usage.ru_stime.tv_usec;
}

static void burn(void)
{
	while (used_us() < BURNT_US)
		;
}

/* Memory that is touched: this much the process has at least. */
static void *touch(size_t size)
{
	void *p = malloc(size);

	memset(p, 1, size);
	__asm__ volatile("" : : "r"(p) : "memory");
	return p;
}

static int run(char *program, char *how)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		execl(program, program, how, (char *)NULL);
		_exit(99);
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ?
		       WEXITSTATUS(status) :
		       98;
}

static void kill_one(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		burn();
		kill(getpid(), SIGKILL);
	}
	waitpid(pid, NULL, 0);
}

static void *named(void *name)
{
	static pthread_barrier_t *barrier;

	barrier = name;
	pthread_barrier_wait(barrier);
	pthread_barrier_wait(barrier);
	return NULL;
}

static void name_threads(void)
{
	pthread_barrier_t barrier;
	pthread_t thread;

	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&thread, NULL, named, &barrier);
	pthread_barrier_wait(&barrier);
	prctl(PR_SET_NAME, "by prctl");
	pthread_setname_np(pthread_self(), "its own");
	pthread_setname_np(thread, "another's");
	pthread_setname_np(thread, "much too long for that");
	prctl(PR_SET_NAME, "a name that is too long");
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
}

static void change_directory(void)
{
	int fd = open("/", O_RDONLY | O_DIRECTORY);

	if (chdir("sub") != 0 || chdir("./deeper/..") != 0)
		exit(1);
	if (chdir("no such directory") == 0 || fchdir(fd) != 0)
		exit(2);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	if (strcmp(how, "burn") == 0) {
		burn();
	} else if (strcmp(how, "large") == 0) {
		free(touch(64 << 20));
	} else if (strcmp(how, "small after large") == 0) {
		void *held = touch(64 << 20);
		int ret = run(argv[0], (char *)"");

		free(held);
		return ret;
	} else if (strcmp(how, "killed") == 0) {
		kill_one();
	} else if (strcmp(how, "names") == 0) {
		name_threads();
	} else if (strcmp(how, "directories") == 0) {
		change_directory();
	}
	return 0;
}
