/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_clear: a reader that waits continues to wait, and gets what is
 * recorded afterwards; one that has read some events continues after the clear;
 * a loss that was not reported yet is not reported.
 */
#include "t/lib/story.h"
#include "t/lib/tap.h"

#include <sched.h>

static trace_event_id_t id;
static trace_id_t trid;
static _Atomic pid_t reader_tid;

static void *get(void *arg)
{
	static struct event ev;
	int none;

	(void)arg;
	reader_tid = gettid();
	do
		if (posix_trace_getnext_event(trid, &ev.info, ev.data,
					      sizeof(ev.data), &ev.size, &none))
			return NULL;
	while (ev.info.posix_event_id != id);
	return &ev;
}

static void blocked(int running)
{
	pthread_t thread;
	struct event ev;
	void *result;

	trid = stream_make(0, NULL);
	stream_only_user(trid);
	if (running) {
		stream_start(trid);
		event_next(trid, &ev);
	}
	reader_tid = 0;
	pthread_create(&thread, NULL, get, NULL);
	while (!reader_tid)
		sched_yield();
	thread_await_sleep(reader_tid);
	is_int(posix_trace_clear(trid), 0, "[clear.1] with a reader");
	stream_only_user(trid);
	if (!running)
		stream_start(trid);
	story_put(id, 0, 55);
	pthread_join(thread, &result);
	ok(result && ((struct event *)result)->word == 55,
	   "[clear.19] it gets what comes after");
	stream_end(trid);
}

static void partly_read(int policy, const char *name)
{
	struct story story;
	struct event ev;
	int running;

	trid = stream_run(0, stream_attr(65536, 64, policy));
	for (unsigned long i = 0; i < 20000; i++)
		story_put(id, 1, i);
	for (int i = 0; i < 10; i++)
		event_next(trid, &ev);
	/* More loss, not told yet; for UNTIL_FULL there is room again. */
	for (unsigned long i = 0; i < 20000; i++)
		story_put(id, 1, i);
	is_int(posix_trace_clear(trid), 0, "[clear.1] %s, partly read", name);
	stream_only_user(trid);
	running = status_of(trid).posix_stream_status == POSIX_TRACE_RUNNING;
	stream_start(trid);
	for (unsigned long i = 0; i < 10; i++)
		story_put(id, 0, i);
	story_read(trid, id, &story);
	ok(story.writer[1].nr == 0 && story.writer[0].nr == 10 &&
	   story.users == 10, "[clear.6] only what comes after");
	is_int(story.system[POSIX_TRACE_OVERFLOW] +
	       story.system[POSIX_TRACE_RESUME], 0,
	       "[clear.10] the loss is forgotten");
	ok(story.system[POSIX_TRACE_START] == !running &&
	   story.system[POSIX_TRACE_STOP] == 0,
	   "[clear.17] START only of a start");
	stream_end(trid);
}

int main(void)
{
	plan(12);
	id = event_id("an event");
	blocked(1);
	blocked(0);
	partly_read(POSIX_TRACE_LOOP, "LOOP");
	partly_read(POSIX_TRACE_UNTIL_FULL, "UNTIL_FULL");
	return done();
}
