/* SPDX-License-Identifier: MIT */
/* posix_trace_shutdown: blocked posix_trace_getnext_event() calls say EINVAL. */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>

#define NR_THREADS 4

static trace_id_t trid;
static pid_t tids[NR_THREADS];
static _Atomic int ready;

static void *wait_for_event(void *arg)
{
	struct event ev;
	int none;

	tids[(size_t)arg] = gettid();
	ready++;
	return (void *)(size_t)posix_trace_getnext_event(
		trid, &ev.info, ev.data, sizeof(ev.data), &ev.size, &none);
}

int main(void)
{
	pthread_t thread[NR_THREADS];
	void *err;

	plan(NR_THREADS + 1);
	trid = stream_make(0, NULL);
	for (size_t i = 0; i < NR_THREADS; i++)
		pthread_create(&thread[i], NULL, wait_for_event, (void *)i);
	while (ready < NR_THREADS)
		;
	for (int i = 0; i < NR_THREADS; i++)
		thread_await_sleep(tids[i]);
	is_int(posix_trace_shutdown(trid), 0, "shutdown");
	for (int i = 0; i < NR_THREADS; i++) {
		pthread_join(thread[i], &err);
		is_int((long long)(size_t)err, EINVAL, "[shutdown.5] [getnext_event.24] reader %d", i);
	}
	return done();
}
