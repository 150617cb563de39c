/* SPDX-License-Identifier: MIT */
/*
 * Calls functions of which libc has several versions, and prints what tells one
 * from another.  Compiled by t/preload/old-versions.t, with a file before it
 * that says which ones.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* Of the first versions the handle is all there is: 8 bytes, or 4. */
static struct {
	pthread_cond_t *cond;
	long guard[5];
} condition = {NULL, {1, 2, 3, 4, 5}};
static struct {
	int timer;
	int guard;
} timer = {-1, 42};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int go;

static void *wait_for_go(void *arg)
{
	pthread_mutex_lock(&mutex);
	while (!go)
		pthread_cond_wait(arg, &mutex);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void wait_in_vain(pthread_cond_t *cond)
{
	struct timespec now;

	pthread_mutex_lock(&mutex);
	clock_gettime(CLOCK_REALTIME, &now);
	printf("timedwait %s\n",
	       strerror(pthread_cond_timedwait(cond, &mutex, &now)));
	pthread_mutex_unlock(&mutex);
}

static void conditions(void)
{
	pthread_cond_t *cond = (pthread_cond_t *)&condition;
	pthread_t thread;

	printf("init %d\n", pthread_cond_init(cond, NULL));
	pthread_create(&thread, NULL, wait_for_go, cond);
	pthread_mutex_lock(&mutex);
	go = 1;
	pthread_cond_signal(cond);
	pthread_cond_broadcast(cond);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	wait_in_vain(cond);
	printf("destroy %d\n", pthread_cond_destroy(cond));
	printf("intact %d\n", memcmp(condition.guard, (long[]){1, 2, 3, 4, 5},
				     sizeof(condition.guard)) == 0);
}

static void timers(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_NONE};
	struct itimerspec hour = {.it_value = {3600, 0}}, left;
	timer_t id;

	printf("timer_create %d\n",
	       timer_create(CLOCK_MONOTONIC, &event, (timer_t *)&timer));
	printf("guard %d\n", timer.guard);
	/* A handle of the first version has nothing behind it. */
	id = (timer_t)(intptr_t)timer.timer;
	if (timer.guard != 42)
		memcpy(&id, &timer, sizeof(id));
	printf("timer_settime %d\n", timer_settime(id, 0, &hour, NULL));
	printf("timer_gettime %d", timer_gettime(id, &left));
	printf(" %d\n", (int)(left.it_value.tv_sec / 3000));
	printf("timer_getoverrun %d\n", timer_getoverrun(id));
	printf("timer_delete %d\n", timer_delete(id));
}

static void paths(void)
{
	char *path = realpath("/dev/..", NULL);

	printf("realpath %s\n", path ? path : strerror(errno));
}

static void status(const char *name, int error, pid_t child)
{
	int status = 0;

	if (!error)
		waitpid(child, &status, 0);
	printf("%s %s %d\n", name, strerror(error), WEXITSTATUS(status));
	fflush(stdout);
}

static void spawns(const char *script)
{
	char *argv[] = {(char *)script, NULL};
	pid_t child = -1;
	int error;

	error = posix_spawn(&child, script, NULL, NULL, argv, environ);
	status("spawn", error, child);
	error = posix_spawnp(&child, script, NULL, NULL, argv, environ);
	status("spawnp", error, child);
	/* It must find its way even if the environment is gone. */
	error = posix_spawnp(&child, script, NULL, NULL, argv,
			     (char *[]){NULL});
	status("spawnp", error, child);
}

static void names(void)
{
	char *(*now)(const char *, char *) =
		(char *(*)(const char *, char *))dlsym(RTLD_DEFAULT, "realpath");
	char *(*old)(const char *, char *) =
		(char *(*)(const char *, char *))dlvsym(RTLD_DEFAULT, "realpath",
							"GLIBC_2.2.5");

	printf("by name %d %d\n", now && now("/dev", NULL),
	       old && old("/dev", NULL));
	printf("no such version %d\n",
	       dlvsym(RTLD_DEFAULT, "realpath", "GLIBC_9.9") != NULL);
}

static void end(void)
{
	puts("quick end");
	fflush(stdout);
}

/* Late, as ptrace-run --inject does: calls are led to its wrappers. */
static void interpose(const char *library)
{
	void *handle = dlopen(library, RTLD_NOW);
	int (*interpose)(void) =
		(int (*)(void))dlsym(handle, "posix_trace_interpose_np");

	if (!interpose || interpose() != 0)
		puts("not interposed");
}

int main(int argc, char **argv)
{
	if (argc > 2)
		interpose(argv[2]);
	conditions();
	timers();
	paths();
	names();
	if (argc > 1)
		spawns(argv[1]);
	printf("kill %d\n", pthread_kill(pthread_self(), 0));
	fflush(stdout);
	at_quick_exit(end);
	quick_exit(9);
}
