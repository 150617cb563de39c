/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_getnext_event: waits on an empty stream until another thread or
 * another process records an event, or the stream is started.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

static trace_event_id_t id;
static trace_id_t trid;

/* Once the reader sleeps. */
static void *wake_by_event(void *arg)
{
	thread_await_sleep(*(pid_t *)arg);
	event_put(id, 1);
	return NULL;
}

static void *wake_by_start(void *arg)
{
	thread_await_sleep(*(pid_t *)arg);
	stream_start(trid);
	return NULL;
}

static int other_process(struct proc *self, void *arg)
{
	proc_await(self);
	for (unsigned long i = 2; i < 12; i++) {
		thread_await_sleep(*(pid_t *)arg);
		event_put(id, i);
		proc_await(self);
	}
	return 0;
}

static unsigned long next(trace_event_id_t *type)
{
	struct event ev = { .size = 0 };
	int none;

	if (posix_trace_getnext_event(trid, &ev.info, ev.data,
				      sizeof(ev.data), &ev.size, &none))
		return 1000;
	*type = ev.info.posix_event_id;
	return ev.word;
}

int main(void)
{
	trace_event_id_t type = 0;
	pid_t tid = gettid();
	pthread_t thread;
	struct proc p;
	int wrong = 0;

	plan(5);
	id = event_id("an event");
	trid = stream_make(0, attr_inherit(stream_attr(0, 0, 0)));
	stream_only_user(trid);
	proc_start(&p, other_process, &tid);
	pthread_create(&thread, NULL, wake_by_start, &tid);
	next(&type);
	is_int(type, POSIX_TRACE_START, "[getnext_event.5] woken by the start");
	pthread_join(thread, NULL);
	pthread_create(&thread, NULL, wake_by_event, &tid);
	is_int((long long)next(&type), 1,
	       "[getnext_event.5] woken by an event of a thread");
	is_int(type, id, "of that type");
	pthread_join(thread, NULL);
	proc_tell(&p);
	for (unsigned long i = 2; i < 12; i++) {
		wrong += next(&type) != i;
		proc_tell(&p);
	}
	is_int(wrong, 0, "[getnext_event.5] woken by events of a process");
	is_int(proc_wait(&p), 0, "it is content");
	stream_end(trid);
	return done();
}
