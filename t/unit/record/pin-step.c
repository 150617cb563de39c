/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event: about where a chunk is pinned, and where pins are taken
 * away, after each instruction a handler pins another, or leaves by
 * siglongjmp(): when all have come to their end no chunk is pinned, and nothing
 * is lost.
 */
#include "core/record/owner.h"

#include "t/lib/step.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <setjmp.h>
#include <string.h>

static trace_id_t trid;
static trace_event_id_t id;
static sigjmp_buf jump;
/* Instructions about one that changes a pin, or who has a chunk: a handler
 * comes after each of these. */
#define NEAR 4096
#define BEFORE 24
#define AFTER 8
static bool near[NEAR];
/* After which of them, and did it come so far? */
static long now;
static int hit;
/* Of `id', in this round: calls that began, and those that returned. */
static int begun, ended;
/* What is_reserved() saw last. */
static uint64_t before;
/* The chunk that is left. */
static uint32_t closing;

static struct ptl_slot_stream *stream(void)
{
	return ptl_thread.slot->stream;
}

/* Its first place is not bounded yet when a handler comes: that goes to another
 * chunk. */
static void record(void)
{
	unsigned long number = 0;

	begun++;
	posix_trace_event(id, &number, sizeof(number));
	ended++;
}

static int nr_pinned(void)
{
	const struct ptl_map *map = stream()->map;
	int nr = 0;

	for (uint32_t i = 0; i < map->nr_chunks; i++)
		nr += ptl_own_pinned(map->table[i].own);
	return nr;
}

/* A place is reserved, and the record is not there yet. */
static int is_reserved(void)
{
	uint64_t word = stream()->word;
	int reserved = ptl_word_holds(before) && before >> 32 == word >> 32 &&
		       before < word;

	before = word;
	return reserved;
}

static int pin(long n)
{
	(void)n;
	if (!is_reserved())
		return 1;
	record();
	return 0;
}

/* What a handler does: it records, and is interrupted by one that closes its
 * chunk. */
static void pin_another(void)
{
	before = 0;
	step_through(record, pin);
}

static void leave(void)
{
	siglongjmp(jump, 1);
}

static void (*comes)(void);

/* Marks the instructions about one that changes a pin, or who has a chunk. */
static void look(long n)
{
	static uint64_t last;
	const struct ptl_map *map = stream()->map;
	uint64_t sum = ptl_thread.slot->nr_pins;

	for (uint32_t i = 0; i < map->nr_chunks; i++)
		sum = sum * 31 + map->table[i].own;
	for (unsigned int p = 0; p < PTL_SLOT_PINS; p++)
		sum = sum * 31 + ptl_thread.slot->pin[p];
	if (n > 1 && sum != last)
		for (long i = PTL_MAX(n - BEFORE, 1); i < n + AFTER; i++)
			near[PTL_MIN(i, NEAR - 1)] = true;
	last = sum;
}

static int come(long n)
{
	if (now == 0)
		look(n);
	if (n != now)
		return 1;
	hit = 1;
	comes();
	return 0;
}

/* From when the word has left its chunk until that is closed. */
static int come_at_pin(long n)
{
	static long first;
	const struct ptl_shm_chunk *chunk = &stream()->map->table[closing];

	if (n == 1)
		first = 0;
	if (!first && !ptl_word_holds(stream()->word))
		first = n - 1;
	if (!first)
		return 1;
	return ptl_own_state(chunk->own) == PTL_CHUNK_OPEN && come(n - first);
}

/* Interrupted where a place is reserved: the steps of its handler. */
static int at_pin(long n)
{
	(void)n;
	if (!is_reserved())
		return 1;
	closing = ptl_word_chunk(stream()->word);
	step_through(record, come_at_pin);
	return 0;
}

/* The same, and then the steps of who was interrupted. */
static int at_unpin(long n)
{
	static long first;

	if (before == UINT64_MAX)
		return come(n - first);
	if (is_reserved()) {
		record();
		before = UINT64_MAX;
		first = n;
	}
	return 1;
}

/* So deep in the stack that it is seen to be over when it was left. */
static __attribute__((noinline)) void step_deep(int (*at)(long n))
{
	char deep[8192];

	__asm__ volatile("" : : "r"(deep) : "memory");
	before = 0;
	step_through(record, at);
	__asm__ volatile("" : : "r"(deep) : "memory");
}

/* One round; true if all is well afterwards. */
static int one(int (*at)(long n))
{
	int nr, pinned;

	trid = stream_run(0, stream_attr(65536, 64, POSIX_TRACE_LOOP));
	begun = ended = hit = 0;
	record();
	if (sigsetjmp(jump, 1) == 0)
		step_deep(at);
	record();
	nr = event_count(trid, id);
	pinned = nr_pinned();
	stream_end(trid);
	if (nr >= ended && nr <= begun && !pinned)
		return 1;
	diag("after %ld: %d events of %d calls, of which %d came to their "
	     "end; %d chunks are pinned",
	     now, nr, begun, ended, pinned);
	return 0;
}

static void test(const char *what, void (*fn)(void), int (*at)(long n))
{
	int wrong = 0, rounds = 0;

	comes = fn;
	memset(near, 0, sizeof(near));
	now = 0;
	wrong += !one(at);
	while (++now < NEAR && wrong < 3) {
		if (!near[now])
			continue;
		wrong += !one(at) || !hit;
		rounds++;
	}
	is_int(wrong, 0, "%s, after any of %d instructions", what, rounds);
	ok(rounds > 20, "%s: there are some", what);
}

int main(void)
{
	step_needed();
	no_sanitizer();
	plan(8);
	id = event_id("an event");
	test("another pin where one is set", pin_another, at_pin);
	test("another pin where they are taken away", pin_another, at_unpin);
	test("left where one is set", leave, at_pin);
	test("left where they are taken away", leave, at_unpin);
	return done();
}
