/* SPDX-License-Identifier: MIT */
/*
 * Lines with gaps; see text_held.h.  While there is one, bytes go to a queue,
 * where each has a number that it keeps; they leave it up to the first gap that
 * is not known.
 */
#include "tools/dump/text/text_held.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

#define QUEUE_MAX (8u << 20)

static struct ptl_out *real;
static struct ptl_out held_out; /* its full buffers go to the queue */
static void (*tell_full)(struct ptl_held *oldest);

/* Bytes number first to first + size are at queue + start. */
static struct queue {
	char *bytes;
	size_t start, size, room;
	uint64_t first;
} queue;

static struct ptl_held *oldest, *newest, *unused;

static void take(const char *bytes, size_t size)
{
	struct queue *q = &queue;

	if (q->start + q->size + size > q->room) {
		if (q->start > 0)
			memmove(q->bytes, q->bytes + q->start, q->size);
		q->start = 0;
	}
	while (q->size + size > q->room)
		q->bytes = ptl_grow(q->bytes, q->room, &q->room, 1);
	memcpy(q->bytes + q->start + q->size, bytes, size);
	q->size += size;
}

/* The number of the next byte. */
static uint64_t here(void)
{
	return queue.first + queue.size + held_out.used;
}

static void skip(uint64_t to)
{
	size_t size = (size_t)(to - queue.first);

	queue.start += size;
	queue.size -= size;
	queue.first = to;
}

static void put(uint64_t to)
{
	ptl_out_bytes(real, queue.bytes + queue.start,
		      (size_t)(to - queue.first));
	skip(to);
}

static void forget(struct ptl_held *held)
{
	for (size_t i = 0; i < 2; i++)
		if (held->gap[i].bytes != held->gap[i].few)
			free(held->gap[i].bytes);
	oldest = held->next;
	if (oldest == NULL)
		newest = NULL;
	held->next = unused;
	unused = held;
}

static void put_gap(const struct ptl_held_gap *gap)
{
	put(gap->at);
	ptl_out_bytes(real, gap->bytes, gap->size);
	skip(gap->at +
	     (gap->columns < gap->blanks ? gap->columns : gap->blanks));
}

/* Up to the first gap that is not known. */
static void drain(void)
{
	ptl_out_flush(&held_out);
	while (oldest != NULL && oldest->is_known) {
		struct ptl_held *held = oldest;

		if (held->is_dropped) {
			put(held->start);
			skip(held->end);
		} else {
			put_gap(&held->gap[0]);
			put_gap(&held->gap[1]);
		}
		forget(held);
	}
	put(oldest == NULL ? queue.first + queue.size : oldest->start);
}

void ptl_held_init(struct ptl_out *to, void (*full)(struct ptl_held *))
{
	while (oldest != NULL)
		forget(oldest);
	queue.start = queue.size = 0;
	queue.first = 0;
	real = to;
	tell_full = full;
	ptl_out_init(&held_out, -1, "", NULL);
	held_out.take = take;
}

struct ptl_out *ptl_held_out(void)
{
	return oldest != NULL ? &held_out : real;
}

struct ptl_held *ptl_held_begin(void *owner)
{
	struct ptl_held *held = unused;

	if (held != NULL)
		unused = held->next;
	else
		held = ptl_alloc(sizeof(*held));
	*held = (struct ptl_held){.owner = owner, .start = here()};
	if (newest != NULL)
		newest->next = held;
	else
		oldest = held;
	newest = held;
	return held;
}

void ptl_held_mark(struct ptl_held *held, unsigned int blanks)
{
	struct ptl_held_gap *gap = &held->gap[held->gap[0].at != 0];

	gap->at = here();
	gap->blanks = blanks;
}

void ptl_held_end(struct ptl_held *held)
{
	if (held != NULL)
		held->end = here();
	while (oldest != NULL && queue.size > QUEUE_MAX) {
		struct ptl_held *first = oldest;

		tell_full(first);
		if (oldest == first)
			return;
	}
}

static void know(struct ptl_held *held)
{
	held->is_known = true;
	if (held == oldest)
		drain();
}

void ptl_held_fill(struct ptl_held *held, unsigned int nr, const char *bytes,
		   size_t size, unsigned int columns)
{
	struct ptl_held_gap *gap = &held->gap[nr];

	gap->bytes = size <= PTL_HELD_FEW ? gap->few : ptl_alloc(size);
	memcpy(gap->bytes, bytes, size);
	gap->size = (unsigned int)size;
	gap->columns = columns;
}

void ptl_held_show(struct ptl_held *held)
{
	know(held);
}

void ptl_held_drop(struct ptl_held *held)
{
	held->is_dropped = true;
	know(held);
}
