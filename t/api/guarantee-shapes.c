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

	posix_trace_attr_setinherited(attr, POSIX_TRACE_INHERITED);
	posix_trace_attr_getmaxusereventsize(attr, size, &s.need);
	s.size = size;
	s.left = stream;
	s.nr = 0;
	s.trid = stream_make(0, attr);
	stream_only_user(s.trid);
	stream_start(s.trid);
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
	proc_tell(self);
	proc_await(self);
	return 0;
}

/* Children record some each; ended or killed, the parent records the rest. */
static void processes(int nr_procs, int each, int sig)
{
	struct proc p;

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
	put_events(account(INT32_MAX));
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

	for (int i = 0; i < nr; i++) {
		int n = account(each);

		pthread_create(&thread, NULL, thread_once, &n);
		pthread_join(thread, NULL);
	}
	put_events(account(INT32_MAX));
}

/* Threads that stay while the main thread records the rest. */
static void idle_threads(int nr, int each)
{
	static int count[200];
	pthread_t thread[200];

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

static void one_policy(int policy)
{
	make(100000, 64, 64, policy);
	processes(50, 1, 0);
	finish("50 children with one event each");
	make(100000, 64, 64, policy);
	processes(50, 1, SIGKILL);
	finish("50 killed children with one event each");
	make(100000, 64, 0, policy);
	short_threads(200, 3);
	finish("200 short-lived threads");
	make(300000, 1000, 900, policy);
	short_threads(200, 1);
	finish("200 short-lived threads, larger events");
	make(524288, 4096, 8, policy);
	idle_threads(30, 1);
	finish("30 idle threads with one event each");
	make(524288, 4096, 4096, policy);
	idle_threads(100, 1);
	finish("100 idle threads with one large event each");
	make(524288, 0, 8, policy);
	idle_threads(200, 20);
	finish("200 threads with 20 events each at the same time");
	make(1, 64, 0, policy);
	processes(0, 0, 0);
	finish("a stream of one byte");
	make(4096, 64, 64, policy);
	idle_threads(40, 1);
	finish("a stream of a page and 40 threads");
	make(3 << 20, 1 << 20, 1 << 20, policy);
	short_threads(1, 1);
	finish("events of 1 MiB");
	make(4 << 20, 1 << 20, 600000, policy);
	idle_threads(3, 1);
	finish("events of more than half of the largest size");
	make(100000, 16 << 20, 40000, policy);
	idle_threads(10, 0);
	finish("max-data-size beyond all that is recorded");
}

int main(void)
{
	plan(25);
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
