/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_eventid_open: threads that open the same names at once, more
 * than there can be, get one id for each name, and not one type more or less
 * than makes TRACE_USER_EVENT_MAX with POSIX_TRACE_UNNAMED_USEREVENT.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#define NR_THREADS 8
#define NR_NAMES (TRACE_USER_EVENT_MAX + 200)

static trace_event_id_t ids[NR_THREADS][NR_NAMES];
static pthread_barrier_t barrier;

/* Each begins elsewhere, and half of them go backwards. */
static void *open_all(void *arg)
{
	trace_event_id_t *mine = arg;
	int me = (int)((mine - ids[0]) / NR_NAMES);

	pthread_barrier_wait(&barrier);
	for (int n = 0; n < NR_NAMES; n++) {
		int i = (n + me / 2 * 300) % NR_NAMES;

		if (me & 1)
			i = NR_NAMES - 1 - i;
		mine[i] = event_id_nr("name", i);
	}
	return NULL;
}

int main(void)
{
	int differ = 0, changed = 0, named = 0, twice = 0;
	static int seen[_PTL_EVENT_ID_LIMIT];
	pthread_t thread[NR_THREADS];

	plan(4);
	pthread_barrier_init(&barrier, NULL, NR_THREADS);
	for (int i = 0; i < NR_THREADS; i++)
		pthread_create(&thread[i], NULL, open_all, ids[i]);
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < NR_NAMES; i++) {
		trace_event_id_t id = event_id_nr("name", i);

		/* Refused when it was full, but not given another id. */
		for (int t = 0; t < NR_THREADS; t++)
			differ += ids[t][i] != id &&
				  ids[t][i] != POSIX_TRACE_UNNAMED_USEREVENT;
		changed += event_id_nr("name", i) != id;
		if (id == POSIX_TRACE_UNNAMED_USEREVENT)
			continue;
		named++;
		twice += seen[id]++ > 0;
	}
	is_int(differ, 0, "[eventid_open.4] [threads.3] one id for each name");
	is_int(changed, 0, "[eventid_open.4] for good");
	is_int(twice, 0, "[eventid_open.1] and each another");
	is_int(named, TRACE_USER_EVENT_MAX - 1,
	       "[eventid_open.3 eventid_open.6] as many as there can be");
	return done();
}
