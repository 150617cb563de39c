/* SPDX-License-Identifier: MIT */
/*
 * usage: victim-waits lock|condition|semaphore|barrier|thread|pipe|room|child|
 *        signal|creator|convoy|disk
 *
 * The main thread waits for another one, which sleeps for 60 ms before; all
 * else takes no time.  With creator that one is begun by a third, which sleeps;
 * with convoy it is the last of several that wait for each other; with disk it
 * does not sleep, but writes a file.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CONVOY 4

static pthread_mutex_t object = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore, ready;
static int pipe_fd[2];
static int done, turn;
static atomic_bool is_held;
static char big[1 << 20];
static pid_t waiting;

static void await_main(void)
{
	char path[64], state = 'R', stat[512];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", (int)waiting,
		 (int)waiting);
	while (state != 'S') {
		file = fopen(path, "r");
		if (file == NULL || fgets(stat, sizeof(stat), file) == NULL)
			abort();
		fclose(file);
		state = strrchr(stat, ')')[2];
	}
}

/* Once the main thread waits. */
static void take_time(void)
{
	await_main();
	usleep(60000);
}

static void *lock(void *unused)
{
	pthread_mutex_lock(&object);
	sem_post(&ready);
	take_time();
	pthread_mutex_unlock(&object);
	return unused;
}

static void *signal_condition(void *unused)
{
	take_time();
	pthread_mutex_lock(&object);
	done = 1;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&object);
	return unused;
}

static void *post(void *unused)
{
	take_time();
	sem_post(&semaphore);
	return unused;
}

static void *come(void *unused)
{
	take_time();
	pthread_barrier_wait(&barrier);
	return unused;
}

static void *end(void *unused)
{
	take_time();
	return unused;
}

static void *put(void *unused)
{
	take_time();
	if (write(pipe_fd[1], "x", 1) != 1)
		abort();
	return unused;
}

static void *get(void *unused)
{
	ssize_t nr, all = 0;

	take_time();
	while (all < (ssize_t)sizeof(big) &&
	       (nr = read(pipe_fd[0], big, sizeof(big))) > 0)
		all += nr;
	return unused;
}

static pthread_t begin(void *(*run)(void *))
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, NULL) != 0)
		abort();
	return thread;
}

static void *post_at_once(void *unused)
{
	sem_post(&semaphore);
	return unused;
}

static void *create(void *unused)
{
	take_time();
	pthread_join(begin(post_at_once), NULL);
	return unused;
}

/* Each waits for the one before. */
static void *follow(void *number)
{
	pthread_mutex_lock(&object);
	while (turn != (int)(intptr_t)number)
		pthread_cond_wait(&condition, &object);
	pthread_mutex_unlock(&object);
	usleep(60000);
	pthread_mutex_lock(&object);
	turn++;
	pthread_cond_broadcast(&condition);
	pthread_mutex_unlock(&object);
	return NULL;
}

static void *write_file(void *unused)
{
	int fd;

	pthread_mutex_lock(&object);
	atomic_store(&is_held, true);
	await_main();
	fd = open("written", O_CREAT | O_WRONLY | O_TRUNC, 0600);
	for (int i = 0; i < 32; i++)
		if (write(fd, big, sizeof(big)) != (ssize_t)sizeof(big))
			abort();
	fsync(fd);
	close(fd);
	unlink("written");
	pthread_mutex_unlock(&object);
	return unused;
}

static void for_convoy(void)
{
	pthread_t thread[CONVOY];

	for (intptr_t i = 0; i < CONVOY; i++)
		if (pthread_create(&thread[i], NULL, follow, (void *)i) != 0)
			abort();
	pthread_mutex_lock(&object);
	while (turn != CONVOY)
		pthread_cond_wait(&condition, &object);
	pthread_mutex_unlock(&object);
	for (int i = 0; i < CONVOY; i++)
		pthread_join(thread[i], NULL);
}

/* Does not sleep before it waits for the lock. */
static void for_writer(void)
{
	while (!atomic_load(&is_held))
		sched_yield();
	pthread_mutex_lock(&object);
}

static void for_lock(void)
{
	while (sem_wait(&ready) != 0)
		;
	pthread_mutex_lock(&object);
}

static void for_condition(void)
{
	pthread_mutex_lock(&object);
	while (!done)
		pthread_cond_wait(&condition, &object);
	pthread_mutex_unlock(&object);
}

static void for_semaphore(void)
{
	sem_wait(&semaphore);
}

static void for_barrier(void)
{
	pthread_barrier_wait(&barrier);
}

static void for_nothing_else(void)
{
}

static void for_data(void)
{
	char byte;

	if (read(pipe_fd[0], &byte, 1) != 1)
		abort();
}

static void for_room(void)
{
	if (write(pipe_fd[1], big, sizeof(big)) < 0)
		abort();
}

static void on_signal(int signo)
{
	(void)signo;
}

static pid_t begin_child(void)
{
	struct sigaction act = {.sa_handler = on_signal};
	pid_t child;

	sigaction(SIGCHLD, &act, NULL);
	child = fork();
	if (child == 0) {
		take_time();
		_exit(0);
	}
	return child;
}

static void for_child(void)
{
	waitpid(begin_child(), NULL, 0);
}

static void for_signal(void)
{
	pid_t child = begin_child();

	sleep(60);
	waitpid(child, NULL, 0);
}

static const struct {
	const char *name;
	void *(*thread)(void *); /* NULL: there is none */
	void (*wait)(void);
} cases[] = {
	{"lock", lock, for_lock},
	{"condition", signal_condition, for_condition},
	{"semaphore", post, for_semaphore},
	{"barrier", come, for_barrier},
	{"thread", end, for_nothing_else},
	{"pipe", put, for_data},
	{"room", get, for_room},
	{"child", NULL, for_child},
	{"signal", NULL, for_signal},
	{"creator", create, for_semaphore},
	{"convoy", NULL, for_convoy},
	{"disk", write_file, for_writer},
};

int main(int argc, char **argv)
{
	pthread_t thread = pthread_self();

	waiting = getpid();
	pthread_barrier_init(&barrier, NULL, 2);
	sem_init(&semaphore, 0, 0);
	sem_init(&ready, 0, 0);
	if (pipe(pipe_fd) != 0)
		return 1;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		if (argc < 2 || strcmp(argv[1], cases[i].name) != 0)
			continue;
		if (cases[i].thread != NULL)
			thread = begin(cases[i].thread);
		cases[i].wait();
		if (cases[i].thread != NULL)
			pthread_join(thread, NULL);
	}
	return 0;
}
