/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_attr_getmaxusereventsize: nor is an event lost of those whose
 * maximum sizes sum up to stream-min-size if each second one is a handler's,
 * which always comes after the same single instruction of the one before; or if
 * it leaves that one by siglongjmp().
 */
#include "t/lib/step.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <setjmp.h>

/* More pairs than the stream has chunks; where a stream becomes full more
 * bytes, too, than threads find room for that share chunks. */
static int nr_pairs;
#define SMALL 200
#define LARGE 300 /* takes the slow path */

static trace_event_id_t own, nested;
static const unsigned char data[4096];
static size_t size;
static sigjmp_buf jump;
/* After which instruction, and did it come so far? */
static long now;
static int hit;

static void record(void)
{
	posix_trace_event(own, data, size);
}

static int nest(long n)
{
	if (n != now)
		return 1;
	hit = 1;
	posix_trace_event(nested, data, size);
	return 0;
}

static int leave(long n)
{
	if (n != now)
		return 1;
	hit = 1;
	siglongjmp(jump, 1);
}

static void pair(int (*at)(long n))
{
	hit = 0;
	if (sigsetjmp(jump, 1) == 0)
		step_through(record, at);
	if (at == leave)
		posix_trace_event(nested, data, size);
}

/* All are there, but of those that were left some may not be. */
static int is_whole(trace_id_t trid, int nr_hit, int (*at)(long n))
{
	struct posix_trace_info_np info;
	int nr_own = 0, nr_nested = 0;
	struct event ev;

	while (event_next(trid, &ev)) {
		nr_own += ev.info.posix_event_id == own;
		nr_nested += ev.info.posix_event_id == nested;
	}
	posix_trace_get_info_np(trid, &info);
	return info.lost == 0 &&
	       nr_nested == (at == leave ? nr_pairs : nr_hit) &&
	       (nr_own == nr_pairs ||
		(at == leave && nr_own >= nr_pairs - nr_hit));
}

/* After so many instructions, each time in a stream of its own.  In how many of
 * the pairs was it? */
static int pairs(int policy, int (*at)(long n), int *wrong)
{
	trace_id_t trid = stream_run_for(2 * nr_pairs, size, policy);
	int nr_hit = 0;

	/* The first is always the slow path's.  It is read, so that the stream
	 * is empty again. */
	record();
	event_count(trid, own);
	for (int i = 0; i < nr_pairs; i++) {
		pair(at);
		nr_hit += hit;
	}
	if (!is_whole(trid, nr_hit, at) && (*wrong)++ < 5)
		diag("after %ld", now);
	stream_end(trid);
	return nr_hit;
}

/* Not after each instruction, for time: seven lie between the reservation and
 * what is stored first, and on the slow path, where the steps become longer,
 * more. */
#define STRIDE 6

static void test(const char *what, size_t bytes, int policy, int (*at)(long n))
{
	int wrong = 0;

	size = bytes;
	nr_pairs = policy == POSIX_TRACE_LOOP ? 45 : 120;
	now = 1;
	/* Those that take a new chunk go on for long. */
	while (pairs(policy, at, &wrong) > nr_pairs / 2)
		now += size == LARGE ? STRIDE + now / 8 : STRIDE;
	ok(now > 60 && wrong == 0,
	   "[attr_getmaxusereventsize.3] %s, policy %d: in steps up to %ld",
	   what, policy, now);
}

int main(void)
{
	step_needed();
	plan(4);
	own = event_id("an event");
	nested = event_id("a handler's");
	test("nested", SMALL, POSIX_TRACE_LOOP, nest);
	test("nested, large", LARGE, POSIX_TRACE_LOOP, nest);
	test("left", SMALL, POSIX_TRACE_LOOP, leave);
	test("nested", SMALL, POSIX_TRACE_UNTIL_FULL, nest);
	return done();
}
