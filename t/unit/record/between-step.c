/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event: where of two things that belong together one is changed
 * already and the other is not, a handler leaves by siglongjmp(), or records:
 * what comes later is there, and no chunk stays pinned.
 */
#include "core/record/owner.h"

#include "t/lib/step.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <setjmp.h>

/* A small record fits where a large one does not. */
#define LARGE 600
#define SMALL 8
#define NR_AFTER 8

static trace_id_t trid;
static trace_event_id_t id, other;
static sigjmp_buf jump;
static unsigned long number;
static int hit;

static struct ptl_slot_stream *stream(void)
{
	return ptl_thread.slot->stream;
}

static uint64_t room(void)
{
	return stream()->map->chunk_size - ptl_word_offset(stream()->word);
}

static void put_other(size_t size)
{
	char data[LARGE] = {0};

	posix_trace_event(other, data, size);
}

/* Until the next large one needs another chunk, and many small ones do not. */
static void fill_chunk(void)
{
	while (room() > LARGE + PTL_RECORD_HEADER)
		put_other(room() > 4 * LARGE ? LARGE : 64);
	while (room() <= NR_AFTER * (SMALL + PTL_RECORD_HEADER))
		put_other(LARGE);
}

static void record_small(void)
{
	event_put(other, 0);
}

static void record_large(void)
{
	put_other(LARGE);
}

/* So deep in the stack that it is seen to be over when it was left. */
static __attribute__((noinline)) void step_deep(void (*fn)(void),
						int (*at)(long n))
{
	char deep[4096];

	__asm__ volatile("" : : "r"(deep) : "memory");
	step_through(fn, at);
	__asm__ volatile("" : : "r"(deep) : "memory");
}

static unsigned int nr_pinned(void)
{
	const struct ptl_map *map = stream()->map;
	unsigned int nr = 0;

	for (uint32_t i = 0; i < map->nr_chunks; i++)
		nr += ptl_own_pinned(map->table[i].own);
	return nr;
}

/* Each of those recorded here, once. */
static void is_there(const char *what)
{
	int seen[NR_AFTER] = {0}, nr = 0, others = 0;
	struct event ev;

	for (unsigned long i = 0; i < NR_AFTER; i++)
		event_put(id, number + i);
	while (event_next(trid, &ev))
		if (ev.info.posix_event_id == id &&
		    ev.word - number < NR_AFTER && !seen[ev.word - number]++)
			nr++;
		else if (ev.info.posix_event_id == id)
			others++;
	number += NR_AFTER;
	ok(hit, "%s: at this point", what);
	ok(nr == NR_AFTER && others == 0, "%s: %d of %d, %d others", what, nr,
	   NR_AFTER, others);
	is_int(nr_pinned(), 0, "%s: no chunk is pinned", what);
	hit = 0;
}

/* The base is that of the next chunk, the word that of the last. */
static int leave_between_base_and_word(long n)
{
	(void)n;
	if (stream()->base ==
	    ptl_map_chunk(stream()->map, ptl_word_chunk(stream()->word)))
		return 1;
	hit = 1;
	siglongjmp(jump, 1);
}

static void test_base(void)
{
	fill_chunk();
	if (sigsetjmp(jump, 1) == 0)
		step_deep(record_large, leave_between_base_and_word);
	is_there("base and word");
}

/* A place is reserved, and the record is not there yet. */
static int is_reserved(void)
{
	static uint64_t before;
	uint64_t word = stream()->word;
	int reserved = before != 0 && before != word;

	before = reserved ? 0 : word;
	return reserved;
}

static int is_pinned(void)
{
	for (unsigned int p = 0; p < PTL_SLOT_PINS; p++)
		if (ptl_thread.slot->pin[p])
			return 1;
	return 0;
}

static int leave_at_first_pin(long n)
{
	(void)n;
	if (!is_pinned())
		return 1;
	hit = 1;
	siglongjmp(jump, 1);
}

/* A chunk is closed over what was interrupted. */
static int pin_and_leave(long n)
{
	(void)n;
	if (!is_reserved())
		return 1;
	step_through(record_large, leave_at_first_pin);
	return 0;
}

static void test_pin(void)
{
	fill_chunk();
	record_small();
	if (sigsetjmp(jump, 1) == 0)
		step_deep(record_small, pin_and_leave);
	is_there("pin and count");
}

static int pin(long n)
{
	(void)n;
	if (!is_reserved())
		return 1;
	record_large();
	hit = is_pinned();
	return 0;
}

/* The recorder has a pin; when it has come to its end and takes it away there
 * comes another. */
static int pin_twice(long n)
{
	static int pinned;

	(void)n;
	if (!pinned && is_reserved()) {
		record_large();
		pinned = is_pinned();
	} else if (pinned && !is_pinned()) {
		step_through(record_small, pin);
		return 0;
	}
	return 1;
}

static void test_unpin(void)
{
	fill_chunk();
	record_small();
	step_through(record_small, pin_twice);
	is_there("pins and their number");
}

int main(void)
{
	step_needed();
	no_sanitizer();
	plan(9);
	id = event_id("an event");
	other = event_id("another");
	trid = stream_run(0, stream_attr(65536, LARGE, POSIX_TRACE_LOOP));
	record_small();
	test_base();
	test_pin();
	test_unpin();
	stream_end(trid);
	return done();
}
