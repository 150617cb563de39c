/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_span_begin_np, posix_trace_span_end_np: what they record, in any
 * thread and process and in signal handlers, and that no two spans have the
 * same number.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS 4
#define EACH 500
#define NOINLINE __attribute__((noinline, noclone))

/* The data of a span:begin. */
struct begin {
	uint64_t span, type;
	unsigned char is_cut;
	char data[POSIX_TRACE_SPAN_DATA_MAX_NP];
} __attribute__((packed));

static trace_event_id_t id;
static trace_span_np_t in_handler[64];
static int nr_in_handler;

static NOINLINE trace_span_np_t begin(const void *data, size_t size)
{
	trace_span_np_t span = 77;

	posix_trace_span_begin_np(id, data, size, &span);
	return span;
}

static int found_begin(trace_id_t trid, struct event *ev, struct begin *begin)
{
	memset(begin, 0, sizeof(*begin));
	if (!event_find_name(trid, "span:begin", ev))
		return 0;
	memcpy(begin, ev->data, ev->size);
	return 1;
}

static void handler(int signo)
{
	(void)signo;
	in_handler[nr_in_handler] = begin(NULL, 0);
	posix_trace_span_end_np(in_handler[nr_in_handler++]);
}

static void *many(void *to)
{
	trace_span_np_t *span = to;

	for (int i = 0; i < EACH; i++) {
		span[i] = begin(NULL, 0);
		posix_trace_span_end_np(span[i]);
	}
	return NULL;
}

static void *end_it(void *span)
{
	posix_trace_span_end_np(*(trace_span_np_t *)span);
	return NULL;
}

static int by_value(const void *a, const void *b)
{
	const trace_span_np_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int repeated(trace_span_np_t *span, int nr)
{
	int same = 0;

	qsort(span, (size_t)nr, sizeof(*span), by_value);
	for (int i = 0; i < nr; i++)
		same += span[i] == 0 || (i > 0 && span[i] == span[i - 1]);
	return same;
}

/* Tells its parent the number of a span of its own. */
static int child(struct proc *self, void *arg)
{
	trace_span_np_t own;

	(void)arg;
	errno = 4711;
	own = begin("c", 1);
	return !proc_send(self, &own, sizeof(own)) || errno != 4711;
}

static void check_untraced(void)
{
	is_int((long long)begin("n", 1), 0, "not traced: no number");
	posix_trace_span_end_np(0);
	posix_trace_span_end_np(12345);
	(posix_trace_span_end_np)(12345);
	posix_trace_span_begin_np(id, NULL, 0, NULL);
}

static void check_recorded(trace_id_t trid)
{
	static char large[2 * POSIX_TRACE_SPAN_DATA_MAX_NP];
	trace_span_np_t outer = begin("outer", 5), inner;
	struct begin data;
	struct event ev;

	inner = begin(large, sizeof(large));
	posix_trace_span_end_np(inner);
	posix_trace_span_end_np(outer);
	ok(outer != 0 && inner != 0 && outer != inner, "numbers");
	ok(found_begin(trid, &ev, &data) && data.span == outer &&
		   data.type == id,
	   "a begin has number and type");
	ok(called_in(&ev, (size_t)begin), "where it was called");
	is_str(data.data, "outer", "its data");
	is_int(data.is_cut, 0, "all of them");
	ok(found_begin(trid, &ev, &data) && data.span == inner, "the next");
	is_int((long long)ev.size, sizeof(data), "its data");
	is_int(data.is_cut, 1, "are cut");
	ok(event_find_name(trid, "span:end", &ev) && ev.word == inner &&
		   ev.size == sizeof(inner),
	   "the end of the inner");
	ok(event_find_name(trid, "span:end", &ev) && ev.word == outer,
	   "and of the outer");
}

static void check_refused(trace_id_t trid)
{
	trace_event_set_t set;
	trace_span_np_t span = 1;
	struct event ev;

	posix_trace_span_begin_np(POSIX_TRACE_START, "x", 1, &span);
	is_int((long long)span, 0, "no user event type: no number");
	posix_trace_eventset_empty(&set);
	posix_trace_eventset_add(id, &set);
	posix_trace_set_filter(trid, &set, POSIX_TRACE_SET_EVENTSET);
	is_int((long long)begin("f", 1), 0, "a type that is filtered: none");
	posix_trace_eventset_empty(&set);
	posix_trace_set_filter(trid, &set, POSIX_TRACE_SET_EVENTSET);
	ok(!event_find_name(trid, "span:begin", &ev), "and no event");
}

static void check_handlers(void)
{
	struct sigaction act = {.sa_handler = handler};
	struct itimerspec often = {{0, 50000}, {0, 50000}};
	struct sigevent how = {.sigev_notify = SIGEV_SIGNAL,
			       .sigev_signo = SIGUSR1};
	trace_span_np_t span[EACH + 64];
	timer_t timer;

	sigaction(SIGUSR1, &act, NULL);
	timer_create(CLOCK_MONOTONIC, &how, &timer);
	timer_settime(timer, 0, &often, NULL);
	while (nr_in_handler < 32)
		many(span);
	timer_delete(timer);
	signal(SIGUSR1, SIG_IGN);
	memcpy(span + EACH, in_handler,
	       (size_t)nr_in_handler * sizeof(*in_handler));
	is_int(repeated(span, EACH + nr_in_handler), 0,
	       "handlers take numbers of their own");
}

static void check_threads(trace_id_t trid)
{
	static trace_span_np_t span[THREADS * EACH];
	pthread_t thread[THREADS];
	trace_span_np_t given;
	struct event ev;

	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, many, span + i * EACH);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	is_int(repeated(span, THREADS * EACH), 0, "threads, too");
	posix_trace_clear(trid);
	given = begin("given", 5);
	pthread_create(&thread[0], NULL, end_it, &given);
	pthread_join(thread[0], NULL);
	ok(event_find_name(trid, "span:end", &ev) && ev.word == given,
	   "another thread ends a span");
}

static void check_fork(trace_id_t trid)
{
	trace_span_np_t span[3] = {begin("p", 1)};
	struct proc proc;
	struct event ev;

	proc_start(&proc, child, NULL);
	span[1] = begin("q", 1);
	ok(proc_receive(&proc, &span[2], sizeof(*span)), "a child's span");
	is_int(proc_wait(&proc), 0, "errno is left alone");
	posix_trace_clear(trid);
	posix_trace_span_end_np(span[2]);
	ok(event_find_name(trid, "span:end", &ev) && ev.word == span[2],
	   "is ended by its parent");
	is_int(repeated(span, 3), 0, "parent and child have other numbers");
}

int main(void)
{
	trace_id_t trid;

	plan(22);
	id = event_id("a span");
	check_untraced();
	trid = stream_make(0, attr_inherit(stream_attr(4 << 20, 0, 0)));
	stream_start(trid);
	check_recorded(trid);
	check_refused(trid);
	check_handlers();
	check_threads(trid);
	check_fork(trid);
	stream_end(trid);
	is_int((long long)begin("n", 1), 0, "and when it is over: no number");
	return done();
}
