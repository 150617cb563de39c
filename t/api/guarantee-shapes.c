/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_attr_getmaxusereventsize: whatever the shape of stream, events and
 * recorders, events whose maximum sizes sum up to stream-min-size are recorded
 * without loss: also if each is another process's, or other threads hold what
 * they hardly use, or their recorders were killed.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

static trace_event_id_t id;
static unsigned char *data;

/* A stream, and what was recorded to it so far. */
static struct {
	trace_id_t trid;
	size_t left, need;
	size_t size;
	int nr;
} s;

static void make(size_t stream, size_t max_data, size_t size, int policy)
{
	trace_attr_t *attr = stream_attr(stream, max_data, policy);

	posix_trace_attr_getmaxusereventsize(attr, size, &s.need);
	s.size = size;
	s.left = stream;
	s.nr = 0;
	s.trid = stream_run(0, attr_inherit(attr));
}

/* Accounts for so many events, or what there is room for; returns how many. */
static int account(int nr)
{
	if ((size_t)nr > s.left / s.need)
		nr = (int)(s.left / s.need);
	s.left -= (size_t)nr * s.need;
	s.nr += nr;
	return nr;
}

static void put_events(int nr)
{
	for (int i = 0; i < nr; i++)
		posix_trace_event(id, data, s.size);
}

static void finish(const char *what)
{
	is_int(event_count(s.trid, id), s.nr, "%s", what);
	stream_end(s.trid);
}

static int child(struct proc *self, void *arg)
{
	put_events(*(int *)arg);
	proc_turn(self);
	return 0;
}

static void processes(int nr_procs, int each, int sig)
{
	struct proc p;

	nr_procs = fewer(nr_procs);
	for (int i = 0; i < nr_procs; i++) {
		int nr = account(each);

		proc_start(&p, child, &nr);
		proc_await(&p);
		if (sig) {
			proc_kill(&p, sig);
			continue;
		}
		proc_tell(&p);
		proc_wait(&p);
	}
}

static void children(int nr, int each)
{
	processes(nr, each, 0);
}

static void killed_children(int nr, int each)
{
	processes(nr, each, SIGKILL);
}

static pthread_barrier_t recorded, over;

static void *thread_once(void *arg)
{
	put_events(*(int *)arg);
	return NULL;
}

static void *thread_stays(void *arg)
{
	put_events(*(int *)arg);
	pthread_barrier_wait(&recorded);
	pthread_barrier_wait(&over);
	return NULL;
}

/* Short-lived threads, one after the other. */
static void short_threads(int nr, int each)
{
	pthread_t thread;

	nr = fewer(nr);
	for (int i = 0; i < nr; i++) {
		int n = account(each);

		pthread_create(&thread, NULL, thread_once, &n);
		pthread_join(thread, NULL);
	}
}

/* Threads that stay while the main thread records the rest. */
static void idle_threads(int nr, int each)
{
	static int count[200];
	pthread_t thread[200];

	nr = fewer(nr);
	pthread_barrier_init(&recorded, NULL, (unsigned)nr + 1);
	pthread_barrier_init(&over, NULL, (unsigned)nr + 1);
	for (int i = 0; i < nr; i++) {
		count[i] = account(each);
		pthread_create(&thread[i], NULL, thread_stays, &count[i]);
	}
	pthread_barrier_wait(&recorded);
	put_events(account(INT32_MAX));
	pthread_barrier_wait(&over);
	for (int i = 0; i < nr; i++)
		pthread_join(thread[i], NULL);
}

/* They record so many each; the main thread records the rest. */
static const struct {
	size_t stream, max_data, size;
	void (*others)(int nr, int each);
	int nr, each;
	const char *what;
} shapes[] = {
	{ 100000, 64, 64, children, 50, 1, "50 children with one event each" },
	{ 100000, 64, 64, killed_children, 50, 1,
	  "50 killed children with one event each" },
	{ 100000, 64, 0, short_threads, 200, 3, "200 short-lived threads" },
	{ 300000, 1000, 900, short_threads, 200, 1,
	  "200 short-lived threads, larger events" },
	{ 524288, 4096, 8, idle_threads, 30, 1,
	  "30 idle threads with one event each" },
	{ 524288, 4096, 4096, idle_threads, 100, 1,
	  "100 idle threads with one large event each" },
	{ 524288, 0, 8, idle_threads, 200, 20,
	  "200 threads with 20 events each at the same time" },
	{ 1, 64, 0, children, 0, 0, "a stream of one byte" },
	{ 4096, 64, 64, idle_threads, 40, 1,
	  "a stream of a page and 40 threads" },
	{ 3 << 20, 1 << 20, 1 << 20, short_threads, 1, 1, "events of 1 MiB" },
	{ 4 << 20, 1 << 20, 600000, idle_threads, 3, 1,
	  "events of more than half of the largest size" },
	{ 100000, 16 << 20, 40000, idle_threads, 10, 0,
	  "max-data-size beyond all that is recorded" },
};
#define NR_SHAPES (int)(sizeof(shapes) / sizeof(shapes[0]))

static void one_policy(int policy)
{
	for (int i = 0; i < NR_SHAPES; i++) {
		make(shapes[i].stream, shapes[i].max_data, shapes[i].size,
		     policy);
		shapes[i].others(shapes[i].nr, shapes[i].each);
		put_events(account(INT32_MAX));
		finish(shapes[i].what);
	}
}

int main(void)
{
	plan(2 * NR_SHAPES + 1);
	data = calloc(1, 16 << 20);
	id = event_id("an event");
	one_policy(POSIX_TRACE_UNTIL_FULL);
	one_policy(POSIX_TRACE_LOOP);
	make(1000, 16 << 20, 16 << 20, POSIX_TRACE_UNTIL_FULL);
	s.nr = 1;
	put_events(1);
	finish("one event of 16 MiB, beyond the guarantee");
	return done();
}
