/* SPDX-License-Identifier: MIT */
/*
 * What posix_trace_event() costs the thread that calls it, through the public
 * symbol of libptrace.so: recording, and not recording.  The limit's slice and
 * ours take turns.
 */
#include <trace.h>

#include "t/bench/limit.h"
#include "t/bench/measure.h"
#include "t/bench/verify.h"

#include <execinfo.h>
#include <stdbool.h>
#include <string.h>

#define ROUNDS 100
#define SLICE 30000ul
#define FEWER_ROUNDS 15 /* of what takes longer */
#define WARM_UP 40000ul
#define SINGLES 4000
#define STACKS 2000ul

typedef void loop_fn(unsigned long nr, const void *data, size_t size);

static trace_event_id_t event;
static unsigned char data[256];
/* So many events since the stream runs. */
static unsigned long made;

static void check(int err, const char *what)
{
	if (err == 0)
		return;
	fprintf(stderr, "%s: %s\n", what, strerror(err));
	exit(1);
}

static void call_loop(unsigned long nr, const void *p, size_t size)
{
	for (; nr > 0; nr--)
		(posix_trace_event)(event, p, size);
}

/* With the macro, as programs do. */
static void event_loop(unsigned long nr, const void *p, size_t size)
{
	__atomic_fetch_add(&made, nr, __ATOMIC_RELAXED);
	for (; nr > 0; nr--)
		posix_trace_event(event, p, size);
}

/* In ns for each event. */
static double slice(loop_fn *loop, size_t size)
{
	double start = measure_cpu();

	loop(SLICE, data, size);
	return (measure_cpu() - start) / SLICE;
}

static void compare(const char *name, loop_fn *loop, loop_fn *limit,
		    size_t size)
{
	struct measure m = {0};

	limit(WARM_UP, data, size);
	loop(WARM_UP, data, size);
	for (unsigned int round = 0; round < ROUNDS; round++) {
		double floor = slice(limit, size);

		measure_add(&m, slice(loop, size), floor);
	}
	measure_tell(&m, name);
}

static void one_thread(const char *name, loop_fn *limit, size_t size)
{
	compare(name, event_loop, limit, size);
}

struct runner {
	pthread_t thread;
	pthread_barrier_t *barrier;
	loop_fn *loop;
	double ns;
};

static void *run(void *arg)
{
	struct runner *runner = arg;

	limit_begin();
	runner->loop(WARM_UP, data, 16);
	pthread_barrier_wait(runner->barrier);
	runner->ns = slice(runner->loop, 16);
	limit_end();
	return NULL;
}

/* The mean of two threads side by side. */
static double pair(loop_fn *loop)
{
	struct runner runner[2];
	pthread_barrier_t barrier;

	pthread_barrier_init(&barrier, NULL, 2);
	for (int i = 0; i < 2; i++) {
		runner[i].barrier = &barrier;
		runner[i].loop = loop;
		check(pthread_create(&runner[i].thread, NULL, run, &runner[i]),
		      "pthread_create");
	}
	for (int i = 0; i < 2; i++)
		pthread_join(runner[i].thread, NULL);
	pthread_barrier_destroy(&barrier);
	return (runner[0].ns + runner[1].ns) / 2;
}

static void two_threads(const char *name)
{
	struct measure m = {0};

	for (unsigned int round = 0; round < FEWER_ROUNDS; round++) {
		double floor = pair(limit_loop);

		measure_add(&m, pair(event_loop), floor);
	}
	measure_tell(&m, name);
}

static inline uint64_t fenced_counter(void)
{
	uint64_t value;

#if defined(__x86_64__)
	__asm__ volatile("lfence" : : : "memory");
	value = limit_counter();
	__asm__ volatile("lfence" : : : "memory");
#else
	__asm__ volatile("isb" : : : "memory");
	value = limit_counter();
	__asm__ volatile("isb" : : : "memory");
#endif
	return value;
}

/* Other data and other code through the first-level caches. */
static void chill(void)
{
	static volatile unsigned char other[96 * 1024];

	for (size_t i = 0; i < sizeof(other); i += 64)
		other[i]++;
#if defined(__x86_64__)
	__asm__ volatile(".fill 65536, 1, 0x90");
#else
	__asm__ volatile(".fill 16384, 4, 0xd503201f");
#endif
}

static void no_event(const void *p)
{
	__asm__ volatile("" : : "r"(p) : "memory");
}

static void one_event(const void *p)
{
	made++;
	posix_trace_event(event, p, 16);
}

/* In ticks: the mean of the 95 % that nothing disturbed. */
static double single(void (*fn)(const void *p), bool cold)
{
	static double ticks[SINGLES];
	double sum = 0;
	unsigned int nr = SINGLES * 95 / 100;

	for (unsigned int i = 0; i < SINGLES; i++) {
		uint64_t start;

		if (cold)
			chill();
		start = fenced_counter();
		fn(data);
		ticks[i] = (double)(fenced_counter() - start);
	}
	qsort(ticks, SINGLES, sizeof(*ticks), measure_compare);
	for (unsigned int i = 0; i < nr; i++)
		sum += ticks[i];
	return sum / nr;
}

static double ns_per_tick(void)
{
	double start = measure_now(), now;
	uint64_t counter = limit_counter();

	do
		now = measure_now();
	while (now - start < 2e7);
	return (now - start) / (double)(limit_counter() - counter);
}

static void latency(const char *name, bool cold, double scale)
{
	struct measure m = {0};

	for (unsigned int round = 0; round < FEWER_ROUNDS; round++) {
		double none = single(no_event, cold);
		double floor = single(limit_one, cold) - none;

		measure_add(&m, (single(one_event, cold) - none) * scale,
			    floor * scale);
	}
	measure_tell(&m, name);
}

static void recording(void)
{
	two_threads("record 16 B, 2 threads");
	one_thread("record 0 B", limit_loop, 0);
	one_thread("record 16 B", limit_loop, 16);
	one_thread("record 64 B", limit_loop, 64);
	one_thread("record 256 B", limit_loop, 256);
}

static void not_recording(const char *name)
{
	one_thread(name, limit_calls, 16);
}

/* The same with nothing but the stack, as libgcc finds it. */
static void backtrace_loop(unsigned long nr, const void *p, size_t size)
{
	void *frames[POSIX_TRACE_STACK_MAX_NP];

	(void)p;
	(void)size;
	for (; nr > 0; nr--)
		backtrace(frames, POSIX_TRACE_STACK_MAX_NP);
}

static double few(loop_fn *loop)
{
	double start = measure_cpu();

	loop(STACKS, data, 16);
	return (measure_cpu() - start) / STACKS;
}

static __attribute__((noinline)) void with_stack(unsigned int depth)
{
	char name[] = "stack of 00, 16 B";
	struct measure m = {0};
	void *frames[POSIX_TRACE_STACK_MAX_NP];
	int nr = backtrace(frames, POSIX_TRACE_STACK_MAX_NP);

	if ((unsigned int)nr < depth) {
		with_stack(depth);
		/* No jump instead of the call. */
		__asm__ volatile("");
		return;
	}
	name[9] = (char)('0' + nr / 10);
	name[10] = (char)('0' + nr % 10);
	for (unsigned int round = 0; round < FEWER_ROUNDS; round++) {
		double floor = few(backtrace_loop);

		measure_add(&m, few(event_loop), floor);
	}
	measure_tell(&m, name);
}

static void stacks(const trace_attr_t *attr)
{
	trace_attr_t deep = *attr;
	trace_id_t trid;

	check(posix_trace_attr_setstackdepth_np(&deep,
						POSIX_TRACE_STACK_MAX_NP),
	      "setstackdepth");
	check(posix_trace_create(0, &deep, &trid), "create");
	check(posix_trace_start(trid), "start");
	made = 0;
	with_stack(6);
	with_stack(20);
	with_stack(50);
	verify_recorded(trid, event, made);
	check(posix_trace_shutdown(trid), "shutdown");
}

int main(void)
{
	double scale = ns_per_tick();
	trace_event_set_t set;
	trace_attr_t attr;
	trace_id_t trid;

	limit_begin();
	check(posix_trace_eventid_open("bench", &event), "eventid_open");
	compare("nothing traces, macro", event_loop, limit_tests, 16);
	compare("nothing traces, call", call_loop, limit_calls, 16);
	check(posix_trace_attr_init(&attr), "attr_init");
	check(posix_trace_attr_setstreamsize(&attr, 1 << 20), "setstreamsize");
	check(posix_trace_create(0, &attr, &trid), "create");
	not_recording("stream stopped");
	posix_trace_eventset_empty(&set);
	check(posix_trace_eventset_add(event, &set), "eventset_add");
	check(posix_trace_set_filter(trid, &set, POSIX_TRACE_SET_EVENTSET),
	      "set_filter");
	check(posix_trace_start(trid), "start");
	not_recording("event filtered");
	check(posix_trace_set_filter(trid, &set, POSIX_TRACE_SUB_EVENTSET),
	      "set_filter");
	made = 0;
	recording();
	latency("one event, 16 B", false, scale);
	latency("one event, 16 B, caches cold", true, scale);
	verify_recorded(trid, event, made);
	check(posix_trace_shutdown(trid), "shutdown");
	stacks(&attr);
	limit_end();
	return 0;
}
