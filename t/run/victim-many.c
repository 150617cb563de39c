/* SPDX-License-Identifier: MIT */
/*
 * victim-many HOW NR ROUNDS MS: so many "processes" or "threads" that are there
 * at once, each of which makes three calls in each round, and sleeps.  With
 * ROUNDS 0 each makes them once, and stays until our standard input ends; what
 * the first writes says that all are there.  Else it writes how much processor
 * time all have used, in ms, and how long it took.  Not linked with libptrace.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int zero_fd, null_fd;
static int rounds;
static struct timespec pause_ns;
static pthread_barrier_t *all;

static void check(int is_good, const char *what)
{
	if (is_good)
		return;
	perror(what);
	exit(1);
}

static void call(void)
{
	char byte;

	check(read(zero_fd, &byte, 1) == 1, "read");
	check(write(null_fd, &byte, 1) == 1, "write");
	check(close(-1) != 0, "close");
}

static void *be_one(void *is_first)
{
	char byte;

	for (int i = 0; i < rounds; i++) {
		call();
		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause_ns, NULL);
	}
	if (rounds > 0)
		return NULL;
	call();
	pthread_barrier_wait(all);
	if (is_first != NULL)
		puts("all");
	fflush(stdout);
	check(read(STDIN_FILENO, &byte, 1) == 0, "the end");
	return NULL;
}

static void make_processes(int nr)
{
	for (int i = 0; i < nr; i++) {
		pid_t pid = fork();

		check(pid >= 0, "fork");
		if (pid == 0) {
			be_one(i == 0 ? all : NULL);
			_exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
}

static void make_threads(int nr)
{
	pthread_t *thread = calloc((size_t)nr, sizeof(*thread));
	pthread_attr_t attr;

	check(thread != NULL, "calloc");
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 65536);
	for (int i = 0; i < nr; i++)
		check(pthread_create(&thread[i], &attr, be_one,
				     i == 0 ? all : NULL) == 0,
		      "pthread_create");
	for (int i = 0; i < nr; i++)
		pthread_join(thread[i], NULL);
}

static double used_by(int who)
{
	struct rusage used;

	getrusage(who, &used);
	return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e3 +
	       (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e3;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
	pthread_barrierattr_t attr;
	double begun = now();
	int nr;

	check(argc == 5, "arguments");
	nr = atoi(argv[2]);
	rounds = atoi(argv[3]);
	pause_ns.tv_nsec = atol(argv[4]) * 1000000;
	zero_fd = open("/dev/zero", O_RDONLY);
	null_fd = open("/dev/null", O_WRONLY);
	all = mmap(NULL, sizeof(*all), PROT_READ | PROT_WRITE,
		   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	check(zero_fd >= 0 && null_fd >= 0 && all != MAP_FAILED, "open");
	pthread_barrierattr_init(&attr);
	pthread_barrierattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(all, &attr, (unsigned int)nr);
	if (strcmp(argv[1], "threads") == 0)
		make_threads(nr);
	else
		make_processes(nr);
	if (rounds > 0)
		printf("%.0f %.0f\n",
		       used_by(RUSAGE_SELF) + used_by(RUSAGE_CHILDREN),
		       now() - begun);
	return 0;
}
