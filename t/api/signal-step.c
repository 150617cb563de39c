/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event: a handler after each single instruction of it records an
 * event of its own, or leaves by siglongjmp(): none else is lost or doubled,
 * and of those overwritten each is counted.
 */
#include "t/lib/clock.h"
#include "t/lib/step.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <setjmp.h>
#include <string.h>

/* So large that each needs a chunk of its own. */
#define LARGE 3800
#define NR_AFTER 20

static trace_id_t trid;
static trace_event_id_t id;
static sigjmp_buf jump;
static size_t size;
static unsigned long number;
static long long lost_before;
/* After which instruction, and did it come so far? */
static long now;
static int hit;

static long long nr_lost(void)
{
	struct posix_trace_info_np info;

	posix_trace_get_info_np(trid, &info);
	return (long long)info.lost;
}

/*
 * Leaves in all chunks what would be records, if anybody looked beyond what was
 * written since: events of the type `id', of 8 bytes, with numbers of none.
 */
static void make_dirty(void)
{
	static unsigned long trap[LARGE / 8];

	for (size_t i = 0; i < sizeof(trap) / sizeof(*trap); i++)
		trap[i] = 1ul << 29 | (unsigned long)id << 16 | 8;
	for (int i = 0; i < 300; i++)
		posix_trace_event(id, trap, sizeof(trap));
	event_count(trid, id);
	lost_before = nr_lost();
}

static void put(unsigned long n, size_t bytes)
{
	unsigned long data[LARGE / sizeof(n)];

	data[0] = n;
	posix_trace_event(id, data, bytes);
}

static void record(void)
{
	put(number, size);
}

static int nothing(long n)
{
	return n > 0;
}

/* The handler's number is the odd one. */
static int nest(long n)
{
	if (n != now)
		return 1;
	hit = 1;
	put(number + 1, size);
	return 0;
}

#ifdef __SANITIZE_ADDRESS__
#define UNDER_ASAN 1
#else
#define UNDER_ASAN 0
#endif

/* After each: what is interrupted shall get on all the same. */
#define MOST 100000

static int nest_each(long n)
{
	put(number + 1, 8);
	hit = (int)n;
	return n < MOST;
}

static int leave(long n)
{
	if (n != now)
		return 1;
	hit = 1;
	siglongjmp(jump, 1);
}

/* How many there are of these numbers, each once; -1: not so. */
static int read_numbers(unsigned long first, int nr)
{
	int seen[NR_AFTER + 1] = {0}, n = 0;
	struct event ev;

	while (event_next(trid, &ev)) {
		if (ev.info.posix_event_id != id)
			continue;
		if (ev.word - first >= (unsigned long)nr ||
		    seen[ev.word - first]++)
			return -1;
		n++;
	}
	return n;
}

/* OVERFLOW and RESUME nobody recorded. */
static long long nr_read(void)
{
	struct event ev;
	long long n = 0;

	while (event_next(trid, &ev))
		n += ev.info.posix_event_id != POSIX_TRACE_OVERFLOW &&
		     ev.info.posix_event_id != POSIX_TRACE_RESUME;
	return n;
}

static void begin(size_t bytes)
{
	trid = stream_run(0, stream_attr(65536, LARGE, POSIX_TRACE_LOOP));
	make_dirty();
	size = bytes;
	now = 0;
	/* From here on it goes the fast path, if there is one. */
	for (int i = 0; i < 4; i++)
		put(0, 8);
}

/* Later each time; in what is large not after each instruction. */
static void advance(void)
{
	now += 1 + now / (size == LARGE ? 12 : 200);
	hit = 0;
	number += NR_AFTER + 1;
}

static void test_nested(const char *what, size_t bytes)
{
	int wrong = 0;

	begin(bytes);
	event_count(trid, id);
	do {
		advance();
		step_through(record, nest);
		if (read_numbers(number, 2) != 1 + hit && wrong++ < 5)
			diag("after %ld", now);
	} while (hit);
	is_int(wrong, 0, "%s: [event.9] both are there, after any of %ld", what,
	       now);
	stream_end(trid);
}

/* Who never finds the thread as he left it comes to an end, with room left or
 * not: how many handlers that takes depends on the compiler.  (With
 * AddressSanitizer the handlers fill a chunk in fewer steps than it takes to
 * find a new one.) */
static void test_nested_each(void)
{
	int own = 0, others = 0;
	long long lost;
	struct event ev;

	if (UNDER_ASAN) {
		skip(1, "nested after each: too many steps");
		return;
	}
	begin(8);
	event_count(trid, id);
	lost = nr_lost();
	advance();
	step_through(record, nest_each);
	while (event_next(trid, &ev)) {
		own += ev.word == number;
		others += ev.word == number + 1;
	}
	lost = nr_lost() - lost;
	ok(hit < MOST && own == 1 && others + lost == hit,
	   "nested after each: %d of itself, %d of %d in its midst, %lld lost",
	   own, others, hit, lost);
	stream_end(trid);
}

static void test_nested_lost(const char *what, size_t bytes)
{
	long long nr = 4, lost, got;

	begin(bytes);
	do {
		advance();
		step_through(record, nest);
		nr += 1 + hit;
	} while (hit);
	for (int i = 0; i < 60000; i++, nr++)
		put(0, 8);
	got = nr_read();
	lost = nr_lost() - lost_before;
	ok(lost > 0 && got + lost == nr, "%s: %lld of %lld, and %lld lost",
	   what, got, nr, lost);
	stream_end(trid);
}

static void one_jump(void)
{
	advance();
	if (sigsetjmp(jump, 1) == 0)
		step_through(record, leave);
	for (unsigned long i = 1; i <= NR_AFTER; i++)
		put(number + i, 8);
}

/* Returns after how many instructions the event is not there yet. */
static long test_jump(const char *what, size_t bytes)
{
	long same, before = 0;
	int wrong = 0, n;

	begin(bytes);
	event_count(trid, id);
	same = step_through(record, nothing);
	event_count(trid, id);
	do {
		one_jump();
		n = read_numbers(number, NR_AFTER + 1);
		if (n != NR_AFTER + 1 && n != NR_AFTER && wrong++ < 5)
			diag("after %ld: %d", now, n);
		if (n == NR_AFTER)
			before = now;
	} while (hit);
	is_int(wrong, 0, "%s: what comes later is there, after any of %ld",
	       what, now);
	if (bytes == 8 && !clock_is_counter())
		skip(1, "the way goes through the kernel's clock");
	else if (bytes == 8)
		is_int(step_through(record, nothing), same,
		       "and goes the same way");
	stream_end(trid);
	/* How far it is does not say where it is, if the way may be longer. */
	return clock_is_counter() ? before : before / 4;
}

static void test_jump_lost(const char *what, size_t bytes, long before)
{
	long long nr = 4, lost, got;

	begin(bytes);
	for (int i = 0; i < 3000; i++) {
		if (now >= before)
			now = 0;
		one_jump();
		nr += NR_AFTER;
	}
	got = nr_read();
	lost = nr_lost() - lost_before;
	ok(lost > 0 && got + lost == nr, "%s: %lld of %lld, and %lld lost",
	   what, got, nr, lost);
	stream_end(trid);
}

int main(void)
{
	long before;

	step_needed();
	plan(10);
	if (under_coverage())
		todo("coverage: more instructions than are stepped through");
	id = event_id("an event");
	test_nested("nested", 8);
	test_nested("nested, large", LARGE);
	test_nested_each();
	test_nested_lost("nested", 8);
	test_nested_lost("nested, large", LARGE);
	before = test_jump("left", 8);
	test_jump("left, large", LARGE);
	test_jump_lost("left", 8, before);
	ok(before > 20, "left after up to %ld", before);
	return done();
}
