/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_open: threads that read one log get each event once between
 * them, in order, also while another rewinds it and others open and close.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <string.h>

#define NR 20000
#define NR_THREADS 4

static trace_event_id_t id;
static trace_id_t log_trid;
static int fd;
static _Atomic unsigned char times[NR];
static _Atomic int wrong, finished;

static void *read_all(void *arg)
{
	unsigned long last = 0;
	struct event ev;
	int first = 1;

	while (event_find(log_trid, id, &ev)) {
		if (ev.word >= NR || (!first && ev.word <= last)) {
			wrong++;
			continue;
		}
		last = ev.word;
		first = 0;
		times[ev.word]++;
	}
	return arg;
}

static void *read_some(void *arg)
{
	struct event ev;

	while (!finished) {
		for (int i = 0; i < 100; i++)
			if (event_find(log_trid, id, &ev) && ev.word >= NR)
				wrong++;
		if (arg)
			posix_trace_rewind(log_trid);
	}
	return NULL;
}

static void check_opens(void)
{
	struct event ev;

	for (int i = 0; i < 100; i++) {
		trace_id_t mine = log_open(fd);

		wrong += !event_find(mine, id, &ev) || ev.word != 0;
		posix_trace_close(mine);
	}
}

int main(void)
{
	pthread_t thread[NR_THREADS];
	trace_id_t trid;
	int once = 0;

	plan(3);
	id = event_id("an event");
	fd = file_make();
	trid = stream_begin(stream_make_log(0, stream_attr(4 << 20, 8, 0), fd));
	for (unsigned long i = 0; i < NR; i++)
		event_put(id, i);
	stream_end(trid);
	log_trid = log_open(fd);
	for (int i = 0; i < NR_THREADS; i++)
		pthread_create(&thread[i], NULL, read_all, NULL);
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < NR; i++)
		once += times[i] == 1;
	is_int(once, NR, "[getnext_event.2] each event once");
	is_int(wrong, 0, "[getnext_event.16] and in order");
	posix_trace_rewind(log_trid);
	for (size_t i = 0; i < NR_THREADS; i++)
		pthread_create(&thread[i], NULL, read_some, (void *)(i % 2));
	check_opens();
	finished = 1;
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(thread[i], NULL);
	is_int(wrong, 0,
	       "[rewind.1] [threads.3] while others rewind, open and close");
	posix_trace_close(log_trid);
	return done();
}
