/* SPDX-License-Identifier: MIT */
/*
 * pthread_exit of the last thread ends the process, however many threads of
 * the library flush its streams; and each log is complete.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <pthread.h>

#define NR_LOGS 3

static int fds[NR_LOGS];

static int controller(struct proc *self, void *arg)
{
	trace_event_id_t id = event_id("an event");

	(void)self;
	(void)arg;
	for (int i = 0; i < NR_LOGS; i++)
		stream_start(stream_make_log(0, NULL, fds[i]));
	event_put(id, 1);
	pthread_exit(NULL);
}

int main(void)
{
	struct proc p;

	/* It has a thread of its own, which is the last. */
	if (under_tsan())
		skip_all("no process ends so under ThreadSanitizer");
	plan(1 + 2 * NR_LOGS);
	for (int i = 0; i < NR_LOGS; i++)
		fds[i] = file_make();
	proc_start(&p, controller, NULL);
	is_int(proc_wait(&p), 0, "the process ends");
	for (int i = 0; i < NR_LOGS; i++) {
		is_int(log_state(fds[i]), POSIX_TRACE_LOG_COMPLETE_NP,
		       "log %d is complete", i);
		is_int(log_count(fds[i], "an event"), 1, "and has the event");
	}
	return done();
}
