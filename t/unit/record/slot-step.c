/* SPDX-License-Identifier: MIT */
/*
 * A thread gets one slot, and keeps it, if a handler records after any single
 * instruction of its getting one: whether it asks for it or was given one when
 * it was made.  When it puts it, what a handler does leaves nothing there.
 */
#include "core/record/slots.h"

#include "t/lib/step.h"
#include "t/lib/tap.h"

#include <pthread.h>
#include <string.h>

static struct ptl_slot *given, *of_handler;
static long now;
static bool hit;

static void ask(void)
{
	ptl_slot_mine();
}

static void enter(void)
{
	ptl_slot_enter(given);
}

static void put(void)
{
	ptl_slot_put(given);
}

/* As one that records. */
static int nest(long n)
{
	if (n != now)
		return 1;
	hit = true;
	of_handler = ptl_slot_mine();
	of_handler->stream[1].bit = 2;
	ptl_thread.last = &of_handler->stream[1];
	return 0;
}

static void count_mine(struct ptl_slot *slot, void *nr)
{
	*(int *)nr += *slot->owner == ptl_thread.tid;
}

/* Is the stream recorded in last none of this thread's? */
static bool is_stale(void)
{
	const struct ptl_slot_stream *own = ptl_thread.last;
	const struct ptl_slot *slot = ptl_thread.slot;

	return own != PTL_NO_SLOT->stream &&
	       (own < slot->stream || own >= slot->stream + PTL_MAX_STREAMS);
}

static bool is_dirty(const struct ptl_slot *slot)
{
	static const struct ptl_slot none;

	return !ptl_slot_owned(slot) && memcmp(slot, &none, sizeof(none)) != 0;
}

/* Not NULL if there is something wrong. */
static void *run(void *get)
{
	int nr = 0;

	if (get == (void *)put)
		given = ptl_slot_mine();
	hit = false;
	step_through((void (*)(void))get, nest);
	if (get == (void *)put)
		return is_stale() || is_dirty(given) ? get : NULL;
	ptl_slots_each(count_mine, &nr);
	if (nr != 1 || is_stale() || (hit && of_handler != ptl_thread.slot))
		return get;
	ptl_slot_put(ptl_thread.slot);
	return NULL;
}

static void test(const char *what, void (*get)(void))
{
	int wrong = 0;
	pthread_t id;
	void *result;

	now = 0;
	do {
		/* In a long copy not after each. */
		now += 1 + now / 100;
		given = get == enter ? ptl_slot_reserve() : NULL;
		pthread_create(&id, NULL, run, (void *)get);
		pthread_join(id, &result);
		if (result && wrong++ < 5)
			diag("after %ld", now);
	} while (hit);
	ok(now > 20, "%s: after any of %ld instructions", what, now);
	is_int(wrong, 0, "%s: one slot, and the same; or none", what);
}

int main(void)
{
	step_needed();
	plan(6);
	test("asked for", ask);
	test("given", enter);
	test("put", put);
	return done();
}
