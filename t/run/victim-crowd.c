/* SPDX-License-Identifier: MIT */
/* victim-crowd THREADS EVENTS: so many threads record so many events each, all
 * at once. */
#include <pthread.h>
#include <stdlib.h>
#include <trace.h>

static pthread_barrier_t all;
static trace_event_id_t id;
static unsigned int nr_events;

static void *record(void *arg)
{
	(void)arg;
	pthread_barrier_wait(&all);
	for (unsigned int i = 0; i < nr_events; i++)
		posix_trace_event(id, &i, sizeof(i));
	pthread_barrier_wait(&all);
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned int nr_threads;
	pthread_attr_t attr;
	pthread_t *thread;

	if (argc != 3)
		return 2;
	nr_threads = (unsigned int)atoi(argv[1]);
	nr_events = (unsigned int)atoi(argv[2]);
	thread = calloc(nr_threads, sizeof(*thread));
	if (!thread || posix_trace_eventid_open("crowd", &id) != 0)
		return 2;
	pthread_barrier_init(&all, NULL, nr_threads);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 65536);
	for (unsigned int i = 0; i < nr_threads; i++)
		if (pthread_create(&thread[i], &attr, record, NULL) != 0)
			abort();
	for (unsigned int i = 0; i < nr_threads; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
