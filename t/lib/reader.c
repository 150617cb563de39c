/* SPDX-License-Identifier: MIT */
#include "t/lib/reader.h"

#include <sched.h>
#include <string.h>
#include <time.h>

static void *read_one(void *arg)
{
	struct timespec late = { .tv_sec = time(NULL) + 60 };
	struct reader *r = arg;
	struct event *ev = &r->ev;

	memset(ev, 'x', sizeof(*ev));
	r->before = *ev;
	r->none = 7;
	r->tid = gettid();
	r->err = r->timed ? posix_trace_timedgetnext_event(
				    r->trid, &ev->info, ev->data,
				    sizeof(ev->data), &ev->size, &r->none,
				    &late) :
			    posix_trace_getnext_event(r->trid, &ev->info,
						      ev->data,
						      sizeof(ev->data),
						      &ev->size, &r->none);
	r->finished = 1;
	return NULL;
}

void reader_begin(struct reader *r, trace_id_t trid, int timed)
{
	*r = (struct reader){ .trid = trid, .timed = timed };
	pthread_create(&r->thread, NULL, read_one, r);
	while (!r->tid)
		sched_yield();
	thread_await_sleep(r->tid);
}

int reader_end(struct reader *r)
{
	pthread_join(r->thread, NULL);
	return r->err;
}

int reader_got(struct reader *r, trace_event_id_t id)
{
	return !reader_end(r) && !r->none && r->ev.info.posix_event_id == id;
}

int reader_got_number(struct reader *r, trace_event_id_t id,
		      unsigned long number)
{
	return reader_got(r, id) && r->ev.word == number;
}
