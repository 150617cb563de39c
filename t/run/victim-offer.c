/* SPDX-License-Identifier: MIT */
/*
 * victim-offer NUMBER: offers so many events, from two threads and a child, and
 * prints how many.  They are told apart by nothing: it is their number that
 * counts.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <trace.h>
#include <unistd.h>

static trace_event_id_t id;

static void *offer(void *arg)
{
	for (long i = 0; i < (long)arg; i++)
		posix_trace_event(id, &i, sizeof(i));
	return NULL;
}

int main(int argc, char **argv)
{
	long number = argc > 1 ? atol(argv[1]) : 0;
	pthread_t thread;
	pid_t child;

	if (posix_trace_eventid_open("offer", &id) != 0)
		return 1;
	if (pthread_create(&thread, NULL, offer, (void *)(number / 4)) != 0)
		return 1;
	offer((void *)(number / 4));
	if (pthread_join(thread, NULL) != 0)
		return 1;
	child = fork();
	if (child == 0) {
		offer((void *)(number / 2));
		_exit(0);
	}
	if (child < 0 || waitpid(child, NULL, 0) != child)
		return 1;
	printf("%ld\n", number / 4 * 2 + number / 2);
	return 0;
}
