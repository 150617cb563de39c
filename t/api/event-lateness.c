/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event: is recorded as long as its thread and its process run
 * code: in destructors of a thread's data, in atexit() and at_quick_exit()
 * functions, in a destructor of the program.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <stdlib.h>

enum {
	OF_THREAD = 1,
	OF_KEY = 2,
	OF_KEY_AGAIN = 3,
	AT_EXIT = 4,
	FINI = 5,
	OF_LEFT_MAIN = 6
};

static trace_event_id_t id;
static pthread_key_t key;
static int in_child;

static void of_key(void *value)
{
	event_put(id, (unsigned long)(size_t)value);
	if ((size_t)value == OF_KEY)
		pthread_setspecific(key, (void *)OF_KEY_AGAIN);
}

static void *thread(void *arg)
{
	pthread_setspecific(key, (void *)OF_KEY);
	event_put(id, OF_THREAD);
	return arg;
}

static void at_the_end(void)
{
	event_put(id, AT_EXIT);
}

__attribute__((destructor)) static void fini(void)
{
	if (in_child)
		event_put(id, FINI);
}

static void *last_thread(void *arg)
{
	pthread_join(*(pthread_t *)arg, NULL);
	event_put(id, OF_LEFT_MAIN);
	exit(0);
}

static int child(struct proc *self, void *arg)
{
	static pthread_t leader;
	int how = *(int *)arg;
	pthread_t other;

	in_child = 1;
	atexit(at_the_end);
	at_quick_exit(at_the_end);
	pthread_key_create(&key, of_key);
	proc_turn(self);
	pthread_create(&other, NULL, thread, NULL);
	pthread_join(other, NULL);
	if (how == 1)
		quick_exit(0);
	if (how == 2) {
		leader = pthread_self();
		pthread_create(&other, NULL, last_thread, &leader);
		pthread_exit(NULL);
	}
	return 0;
}

static void check(int how, const char *what)
{
	int seen[8] = {0};
	trace_id_t trid;
	struct event ev;
	struct proc p;

	proc_start(&p, child, &how);
	proc_await(&p);
	trid = stream_make(p.pid, NULL);
	stream_start(trid);
	proc_tell(&p);
	is_int(proc_wait(&p), 0, "%s", what);
	while (event_find(trid, id, &ev))
		seen[ev.word & 7]++;
	is_int(seen[OF_THREAD], 1, "[event.1] of a thread");
	is_int(seen[OF_KEY], 1, "[event.1] of its data's destructor");
	is_int(seen[OF_KEY_AGAIN], 1, "[event.1] and when that is run again");
	is_int(seen[AT_EXIT], 1, "[event.1] of a function at exit");
	is_int(seen[FINI], how == 1 ? 0 : 1, "[event.1] of a destructor");
	is_int(seen[OF_LEFT_MAIN], how == 2, "[event.1] without the leader");
	stream_end(trid);
}

int main(void)
{
	plan(21);
	id = event_id("an event");
	check(0, "exit");
	check(1, "quick_exit");
	/* It stumbles over pthread_join() of the main thread. */
	if (under_tsan())
		skip(7, "no process ends so under ThreadSanitizer");
	else
		check(2, "exit when the main thread has left");
	return done();
}
