/* SPDX-License-Identifier: MIT */
/*
 * A lock that a thread waits for while another is in poll(), one that is free,
 * and a sleep that a handler interrupts.
 */
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t sem;
static _Atomic int tid;

static void *wait_for(void *how)
{
	tid = (int)syscall(SYS_gettid);
	switch (*(const char *)how) {
	case 'm':
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
		break;
	case 'r':
		pthread_rwlock_rdlock(&rwlock);
		pthread_rwlock_unlock(&rwlock);
		break;
	case 'w':
		pthread_rwlock_wrlock(&rwlock);
		pthread_rwlock_unlock(&rwlock);
		break;
	case 's':
		sem_wait(&sem);
		break;
	}
	return NULL;
}

/* Until the thread sleeps. */
static void await_sleep(void)
{
	char path[64], state = 0;
	FILE *file;

	while (state != 'S') {
		snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
		file = tid ? fopen(path, "r") : NULL;
		if (!file)
			continue;
		if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
			state = 0;
		fclose(file);
	}
}

static void contend(const char *how)
{
	pthread_t thread;

	tid = 0;
	pthread_create(&thread, NULL, wait_for, (void *)how);
	await_sleep();
	poll(NULL, 0, 5);
	if (*how == 'm')
		pthread_mutex_unlock(&mutex);
	else if (*how == 's')
		sem_post(&sem);
	else
		pthread_rwlock_unlock(&rwlock);
	pthread_join(thread, NULL);
}

static void handle(int signo)
{
	(void)signo;
	if (write(STDOUT_FILENO, "handler\n", 8) != 8)
		_exit(1);
}

static void *interrupt(void *arg)
{
	await_sleep();
	pthread_kill(*(pthread_t *)arg, SIGUSR1);
	return NULL;
}

static void sleep_badly(void)
{
	const struct sigaction action = {.sa_handler = handle};
	const struct timespec long_time = {1000, 0};
	pthread_t self = pthread_self(), thread;

	sigaction(SIGUSR1, &action, NULL);
	tid = getpid();
	pthread_create(&thread, NULL, interrupt, &self);
	nanosleep(&long_time, NULL);
	pthread_join(thread, NULL);
}

int main(void)
{
	pthread_mutex_lock(&mutex);
	contend("mutex");
	pthread_rwlock_wrlock(&rwlock);
	contend("reading");
	pthread_rwlock_rdlock(&rwlock);
	contend("writing");
	sem_init(&sem, 0, 0);
	contend("semaphore");
	sleep_badly();
	return 0;
}
