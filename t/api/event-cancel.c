/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event: is no cancellation point, whatever its stream is like;
 * nor does it look at what lies behind data_len.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <sys/mman.h>
#include <time.h>

#define NR 20000

static trace_event_id_t id;
static _Atomic int reached;

/* Cancelled before it begins: it goes as far as nothing is such a point. */
static void *record(void *arg)
{
	pthread_cancel(pthread_self());
	for (unsigned long i = 0; i < NR; i++)
		event_put(id, i);
	reached++;
	pthread_testcancel();
	return arg;
}

static void check(const char *what)
{
	pthread_t thread;
	void *result = NULL;

	reached = 0;
	pthread_create(&thread, NULL, record, NULL);
	pthread_join(thread, &result);
	ok(reached && result == PTHREAD_CANCELED, "[event.10] %s", what);
}

int main(void)
{
	struct event ev;
	trace_id_t trid;
	char *page;
	int n = 0;

	plan(5);
	id = event_id("an event");
	check("no stream");
	trid = stream_make(0, NULL);
	stream_start(trid);
	check("a stream that loops");
	stream_end(trid);
	trid = stream_make(0, stream_attr(0, 8, POSIX_TRACE_UNTIL_FULL));
	stream_start(trid);
	check("a stream that gets full");
	stream_end(trid);
	trid = stream_make(0, stream_attr(0, 8, 0));
	stream_start(trid);
	page = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(page + 4096, 4096);
	for (size_t size = 0; size <= 16; size++)
		posix_trace_event(id, page + 4096 - size, size);
	posix_trace_event(id, NULL, 0);
	while (event_find(trid, id, &ev))
		n++;
	is_int(n, 18, "[event.1] data at the end of memory, and none");
	posix_trace_event(POSIX_TRACE_UNNAMED_USEREVENT, page, 8);
	is_int(event_count(trid, POSIX_TRACE_UNNAMED_USEREVENT), 1,
	       "[event.1] of the type without a name");
	stream_end(trid);
	return done();
}
