/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event: a thread that is gone after any single instruction of it
 * leaves what it has recorded, and nothing else, though all chunks are full of
 * what looks like records; who comes next goes on.
 */
#include "core/record/owner.h"

#include "t/lib/step.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LARGE 600
#define NR_AFTER 3

static trace_id_t trid;
static trace_event_id_t id, other;
static size_t size;
static unsigned long number;
/* After which instruction, and did it come so far? */
static long now;
static int hit;

static void put(unsigned long n, size_t bytes)
{
	unsigned long data[LARGE / sizeof(n)];

	data[0] = n;
	posix_trace_event(id, data, bytes);
}

/* What would be events, of 8 bytes and of numbers of none, if anybody looked
 * beyond what was written since. */
static void make_dirty(void)
{
	unsigned long trap[LARGE / 8];

	for (size_t i = 0; i < LARGE / 8; i++)
		trap[i] = 1ul << 29 | (unsigned long)id << 16 | 8;
	for (int i = 0; i < 1000; i++)
		posix_trace_event(id, trap, sizeof(trap));
	event_count(trid, id);
}

static void record(void)
{
	put(number + 1, size);
}

static int die(long n)
{
	if (n != now)
		return 1;
	hit = 1;
	syscall(SYS_exit, 0);
	return 0;
}

/* Until the large one needs the next chunk, if the thread keeps one. */
static void fill_chunk(void)
{
	const struct ptl_slot_stream *own = ptl_thread.slot->stream;
	char data[LARGE] = {0};

	while (own->map && ptl_word_holds(own->word) &&
	       own->map->chunk_size - ptl_word_offset(own->word) > LARGE)
		posix_trace_event(other, data, 256);
}

/* Without a word, and without what a thread does at its end. */
static void *victim(void *arg)
{
	put(number, 8);
	if (size == LARGE)
		fill_chunk();
	step_through(record, die);
	return arg;
}

static void *heir(void *arg)
{
	for (unsigned long i = 0; i < NR_AFTER; i++)
		put(number + 2 + i, 8);
	return arg;
}

static void run(void *(*fn)(void *arg))
{
	pthread_t thread;

	pthread_create(&thread, NULL, fn, NULL);
	pthread_join(thread, NULL);
}

/* Each number is there once, but that of the event in which it died may not
 * be. */
static int is_good(void)
{
	int seen[2 + NR_AFTER] = {0};
	struct event ev;

	while (event_next(trid, &ev)) {
		if (ev.info.posix_event_id != id)
			continue;
		if (ev.word - number >= 2 + NR_AFTER ||
		    seen[ev.word - number]++)
			return 0;
	}
	for (int i = 0; i < 2 + NR_AFTER; i++)
		if (!seen[i] && (i != 1 || !hit))
			return 0;
	return 1;
}

/* Another event, in whose midst a handler records. */
static void record_other(void)
{
	posix_trace_event(other, &number, sizeof(number));
}

/* When its place is reserved, and what is behind that is not told yet. */
static int nest(long n)
{
	(void)n;
	if (ptl_owner_is_bounded(ptl_thread.slot->stream))
		return 1;
	step_through(record, die);
	return 0;
}

static void *victim_nested(void *arg)
{
	put(number, 8);
	step_through(record_other, nest);
	return arg;
}

static void test(const char *what, size_t bytes, void *(*dies)(void *arg))
{
	int wrong = 0;

	trid = stream_run(0, stream_attr(65536, LARGE, POSIX_TRACE_LOOP));
	make_dirty();
	size = bytes;
	now = 0;
	do {
		now += 1 + now / (dies == victim_nested ? 8 : 200);
		hit = 0;
		number += 2 + NR_AFTER;
		run(dies);
		run(heir);
		if (!is_good() && wrong++ < 5)
			diag("after %ld", now);
	} while (hit);
	is_int(wrong, 0, "%s: gone after any of %ld instructions", what, now);
	ok(now > 60, "%s: there are some", what);
	stream_end(trid);
}

/* Of the fast path, in memory that was used before. */
static void test_padding(void)
{
	const struct ptl_slot_stream *own;
	const unsigned char *end;
	char data[5] = {1};

	trid = stream_run(0, stream_attr(65536, LARGE, POSIX_TRACE_LOOP));
	make_dirty();
	posix_trace_event(other, data, sizeof(data));
	own = ptl_thread.slot->stream;
	end = own->base + ptl_word_offset(own->word);
	ok(end[-3] == 0 && end[-2] == 0 && end[-1] == 0, "padded by zeroes");
	stream_end(trid);
}

int main(void)
{
	step_needed();
	/* Each thread ends without its own end, which they see in the next that
	 * has its memory. */
	if (under_asan() || under_tsan())
		skip_all("a sanitizer does not let go of a thread that is "
			 "killed");
	plan(7);
	id = event_id("an event");
	other = event_id("another");
	test("here", 8, victim);
	test("in the next chunk", LARGE, victim);
	test("in a handler", 8, victim_nested);
	test_padding();
	return done();
}
