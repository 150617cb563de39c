/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_attr_getmaxusereventsize: the events of four processes that
 * inherit the stream are recorded without loss, too, if their maximum sizes
 * sum up to stream-min-size.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#define NR_PROCS 4

static trace_event_id_t id;
static int per_process;
static size_t size;

static int record(struct proc *self, void *arg)
{
	static unsigned char data[4096];

	(void)arg;
	proc_await(self);
	for (int i = 0; i < per_process; i++)
		posix_trace_event(id, data, size);
	return 0;
}

static void try_size(size_t stream, size_t data_size, int policy)
{
	trace_attr_t *attr = stream_attr(stream, data_size, policy);
	struct proc p[NR_PROCS];
	trace_id_t trid;
	size_t need;

	posix_trace_attr_setinherited(attr, POSIX_TRACE_INHERITED);
	posix_trace_attr_getmaxusereventsize(attr, data_size, &need);
	per_process = (int)(stream / need / NR_PROCS);
	size = data_size;
	trid = stream_run(0, attr);
	for (int i = 0; i < NR_PROCS; i++)
		proc_start(&p[i], record, NULL);
	for (int i = 0; i < NR_PROCS; i++)
		proc_tell(&p[i]);
	for (int i = 0; i < NR_PROCS; i++)
		proc_wait(&p[i]);
	is_int(event_count(trid, id), per_process * NR_PROCS,
	       "[attr_getmaxusereventsize.5] %zu bytes, events of %zu, "
	       "policy %d", stream, data_size, policy);
	stream_end(trid);
}

int main(void)
{
	plan(4);
	id = event_id("an event");
	try_size(100000, 8, POSIX_TRACE_LOOP);
	try_size(100000, 8, POSIX_TRACE_UNTIL_FULL);
	try_size(1000000, 3000, POSIX_TRACE_LOOP);
	try_size(1000000, 3000, POSIX_TRACE_UNTIL_FULL);
	return done();
}
