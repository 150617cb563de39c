/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_attr_getmaxusereventsize: no event is lost when forty
 * processes that recorded two each were killed: the rest of the chunks they
 * had is not lost with them.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>

static const unsigned char data[4096];
static trace_event_id_t id;
static size_t size;

/* A stream for `nr' events of `data_size' bytes. */
static trace_id_t make(int nr, size_t data_size, int policy)
{
	trace_attr_t *attr = stream_attr(0, data_size, policy);
	trace_id_t trid;
	size_t need;

	size = data_size;
	posix_trace_attr_setinherited(attr, POSIX_TRACE_INHERITED);
	posix_trace_attr_getmaxusereventsize(attr, size, &need);
	posix_trace_attr_setstreamsize(attr, need * (size_t)nr);
	trid = stream_make(0, attr);
	stream_only_user(trid);
	stream_start(trid);
	return trid;
}

static void *record(void *arg)
{
	for (int i = *(int *)arg; i > 0; i--)
		posix_trace_event(id, data, size);
	return NULL;
}

static int dies(struct proc *self, void *arg)
{
	record(arg);
	proc_tell(self);
	proc_await(self);
	return 0;
}

static void in_killed(int nr)
{
	struct proc p;

	proc_start(&p, dies, &nr);
	proc_await(&p);
	proc_kill(&p, SIGKILL);
}

static void after_killed(int policy)
{
	trace_id_t trid = make(1000, 100, policy);
	int rest = 1000 - 40 * 2;

	for (int i = 0; i < 40; i++)
		in_killed(2);
	record(&rest);
	is_int(event_count(trid, id), 1000,
	       "[attr_getmaxusereventsize.6] after 40 were killed, policy %d",
	       policy);
	stream_end(trid);
}

int main(void)
{
	plan(2);
	id = event_id("an event");
	after_killed(POSIX_TRACE_LOOP);
	after_killed(POSIX_TRACE_UNTIL_FULL);
	return done();
}
