/* SPDX-License-Identifier: MIT */
/*
 * Records events from two threads and a child by turns, and prints what is to
 * be in the log: pid, thread, name, data, function, in this order.
 */
#include <trace.h>

#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static sem_t turn[2];
static trace_event_id_t id;

void record_here(int n);

__attribute__((noinline)) void record_here(int n)
{
	char data[32];

	snprintf(data, sizeof(data), "number %d", n);
	posix_trace_event(id, data, strlen(data));
	printf("%d/%d own data=\"%s\" record_here\n", (int)getpid(),
	       (int)gettid(), data);
	fflush(stdout);
}

static void *second(void *arg)
{
	for (int i = 1; i < 20; i += 2) {
		sem_wait(&turn[1]);
		record_here(i);
		sem_post(&turn[0]);
	}
	return arg;
}

int main(void)
{
	pthread_t thread;

	if (posix_trace_eventid_open("own", &id) != 0)
		return 1;
	sem_init(&turn[0], 0, 1);
	sem_init(&turn[1], 0, 0);
	if (pthread_create(&thread, NULL, second, NULL) != 0)
		return 1;
	for (int i = 0; i < 20; i += 2) {
		sem_wait(&turn[0]);
		record_here(i);
		sem_post(&turn[1]);
	}
	pthread_join(thread, NULL);
	if (fork() == 0) {
		record_here(20);
		_exit(0);
	}
	wait(NULL);
	record_here(21);
	return 0;
}
