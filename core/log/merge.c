/* SPDX-License-Identifier: MIT */
/*
 * The merge.  Each open packet has a cursor: a buffer with a stretch of the
 * packet and the record at hand in it.  A record's place in the order is the
 * counter when it began, held between that of its predecessor in the packet and
 * the last one in the packet's header: a damaged record moves no other.  The
 * heap is touched only when another packet's turn has come.
 *
 * A cursor's buffer holds a whole packet of the usual size; of larger ones a
 * part, but always a whole record, whose size was checked against the packet
 * before the buffer grew.  Only of a packet whose records must be put in order
 * it is always the whole.  With very many packets open buffers are small.
 *
 * Of the packets outside of what is wanted those are not read whose header says
 * that no other depends on them.
 */
#include "core/log/merge.h"

#include <stdlib.h>
#include <string.h>

#include "core/format/logfile.h"
#include "core/format/record.h"
#include "core/log/nested.h"
#include "core/sys/clock.h"
#include "core/sys/syscall.h"
#include "core/sys/wide.h"

#define BUFFER_SIZE (68u * 1024)      /* 64 KiB of records, and headers */
#define FAIR_BUFFER_SIZE (16u * 1024) /* of one log of very many */
#define SMALL_BUFFER_SIZE (4u * 1024)
#define MANY_OPEN 1024

struct ptl_log_cursor {
	struct ptl_event event; /* the record at hand */
	uint64_t last;		/* its `when' goes no further */
	uint64_t span_counter;
	struct ptl_log_slot *slot;
	bool outside; /* of what is wanted */
	unsigned char *buf;
	size_t room;
	size_t filled;
	size_t pos;    /* behind the record at hand */
	uint64_t base; /* of the buffer in the file */
	uint64_t end;  /* of the packet in the file */
	struct ptl_nested nested;
	struct ptl_log_cursor *next; /* spare */
	uint64_t stack[PTL_STACK_MAX];
};

/* Without a branch: which of two threads is next cannot be predicted. */
static bool is_before(const struct ptl_log_merge_item *a,
		      const struct ptl_log_merge_item *b)
{
	return ptl_wide_before(a->when, a->order, b->when, b->order);
}

/*
 * Makes `need' bytes from pos on be in the buffer, and more if they fit.
 * False if the file does not have them or there is no memory; nor is there for
 * what is nothing but a hole.
 */
static bool refill(struct ptl_log_merge *merge, struct ptl_log_cursor *c,
		   size_t need)
{
	size_t left = c->filled - c->pos, size;
	size_t usual = merge->nr_open >= MANY_OPEN ? SMALL_BUFFER_SIZE :
		       ptl_log_file_many()	   ? FAIR_BUFFER_SIZE :
						     BUFFER_SIZE;
	uint64_t rest = c->end - (c->base + c->pos);

	size = PTL_MAX(need, PTL_MIN(usual, rest));
	if (size > c->room) {
		uint64_t at = c->base + c->pos;
		unsigned char *buf = ptl_log_index_may(merge->index, at, size) ?
					     malloc(size) :
					     NULL;

		if (!buf)
			return false;
		if (left)
			memcpy(buf, c->buf + c->pos, left);
		free(c->buf);
		c->buf = buf;
		c->room = size;
	} else if (left) {
		memmove(c->buf, c->buf + c->pos, left);
	}
	c->base += c->pos;
	c->pos = 0;
	size = PTL_MIN(c->room, rest);
	c->filled = left + ptl_log_index_pread(merge->index, c->buf + left,
					       size - left, c->base + left);
	return c->filled >= need;
}

/*
 * Of a packet the bytes from `at' to `end' make no sense.  Its header has said
 * how many events there are: some of them are not in the log.
 */
static PTL_COLD void spoil(struct ptl_log_merge *merge,
			   struct ptl_log_slot *slot, uint64_t at, uint64_t end)
{
	uint64_t good;

	ptl_log_index_bad(merge->index, at, end - at);
	/* Before it is read again, which comes to the same place. */
	slot->bad = true;
	good = slot->skip + ptl_log_merge_count(merge, slot);
	if (good < slot->nr) {
		merge->index->state.events -= slot->nr - good;
		slot->nr = (uint32_t)good;
	}
}

/* Gives up on the rest of a packet; a record the file cuts is no damage. */
static PTL_COLD bool give_up(struct ptl_log_merge *merge,
			     struct ptl_log_cursor *c)
{
	uint64_t at = c->base + c->pos;

	if (!c->slot->cut && !c->slot->bad)
		spoil(merge, c->slot, at, c->end);
	return false;
}

/* A hole is words of zero: there is no record.  Returns how long it is. */
static uint64_t skip_hole(struct ptl_log_merge *merge, struct ptl_log_cursor *c)
{
	uint64_t at = c->base + c->pos;
	uint64_t data = ptl_log_index_skip(merge->index, at, c->end);

	if (data == at)
		return 0;
	if (!c->slot->cut && !c->slot->bad)
		spoil(merge, c->slot, at, data);
	c->base = data;
	c->pos = c->filled = 0;
	return data - at;
}

/* Where the buffer has no whole record: reads on. */
static PTL_COLD bool read_on(struct ptl_log_merge *merge,
			     struct ptl_log_cursor *c, struct ptl_record *rec)
{
	uint64_t rest = c->end - (c->base + c->pos);
	size_t head;

	if (c->filled == c->pos)
		rest -= skip_hole(merge, c);
	head = PTL_MIN(rest, PTL_RECORD_HEADER_EXT);
	if (rest == 0)
		return false;
	if (c->filled - c->pos < head && !refill(merge, c, head))
		return give_up(merge, c);
	/* Only the header says how much there must be in all. */
	if (!ptl_record_parse(c->buf + c->pos, rest, rec))
		return give_up(merge, c);
	if (c->filled - c->pos < rec->bytes && !refill(merge, c, rec->bytes))
		return give_up(merge, c);
	/* The record may have moved, or the file have changed. */
	if (!ptl_record_parse(c->buf + c->pos, c->filled - c->pos, rec))
		return give_up(merge, c);
	return true;
}

/* The next record, if it is not the usual one that the buffer has.  False if
 * there is none, or none that makes sense. */
static PTL_NOINLINE bool find_record(struct ptl_log_merge *merge,
				     struct ptl_log_cursor *c,
				     struct ptl_record *rec)
{
	return ptl_record_parse(c->buf + c->pos, c->filled - c->pos, rec) ||
	       read_on(merge, c, rec);
}

/* To the next event of the packet; false if there is none. */
PTL_INLINE bool step(struct ptl_log_merge *merge, struct ptl_log_cursor *c)
{
	struct ptl_event *event = &c->event;
	struct ptl_record rec, other;

	event->nr_stack = 0;
	if (PTL_UNLIKELY(c->nested.place)) {
		if (c->nested.next == c->nested.nr)
			return false;
		c->pos = c->nested.place[c->nested.next++].at;
	}
	for (;;) {
		if (PTL_UNLIKELY(!ptl_record_parse_usual(
			    c->buf + c->pos, c->filled - c->pos, &rec))) {
			/* Of rec no address is taken: it is in registers. */
			if (!find_record(merge, c, &other))
				return false;
			rec = other;
		}
		c->pos += rec.bytes;
		if (PTL_LIKELY(rec.committed && rec.id != 0 &&
			       rec.id < PTL_ID_LIMIT))
			break;
		event->nr_stack = rec.committed && rec.id == PTL_ID_STACK ?
					  ptl_record_stack(&rec, c->stack) :
					  0;
	}
	event->id = rec.id;
	event->addr = rec.addr;
	event->counter = ptl_record_counter(rec.time, c->span_counter);
	event->truncated = rec.truncated;
	event->data = rec.data;
	event->data_size = rec.data_size;
	ptl_event_take_since(event, merge->index->timed, merge->index->origin);
	event->when = PTL_MAX(
		PTL_MIN(event->since ? event->since : event->counter, c->last),
		event->when);
	return true;
}

/* To the next that is wanted. */
PTL_INLINE bool advance(struct ptl_log_merge *merge, struct ptl_log_cursor *c)
{
	do
		if (!step(merge, c))
			return false;
	while (PTL_UNLIKELY(c->outside) && ptl_record_is_plain(c->event.id));
	return true;
}

static struct ptl_log_cursor *get_cursor(struct ptl_log_merge *merge)
{
	struct ptl_log_cursor *c = merge->spare;

	if (c)
		merge->spare = c->next;
	else
		c = calloc(1, sizeof(*c));
	return c;
}

static void put_cursor(struct ptl_log_merge *merge, struct ptl_log_cursor *c)
{
	free(c->nested.place);
	c->nested.place = NULL;
	/* The buffer of one huge record is not kept for the small ones. */
	if (c->room > BUFFER_SIZE) {
		free(c->buf);
		c->buf = NULL;
		c->room = 0;
	}
	c->next = merge->spare;
	merge->spare = c;
}

/* Puts the events of a packet in order that do not stand so.  False: it gave
 * up. */
static bool put_in_order(struct ptl_log_merge *merge, struct ptl_log_cursor *c)
{
	uint64_t whole = c->end - c->slot->offset;
	size_t end = 0;

	c->pos = 0;
	if (!refill(merge, c, whole) ||
	    ptl_nested_sort(&c->nested, c->buf, sizeof(struct ptl_log_packet),
			    whole, c->span_counter, merge->index->origin,
			    &end) != 0) {
		c->pos = sizeof(struct ptl_log_packet);
		return give_up(merge, c);
	}
	c->pos = end;
	if (end < whole)
		give_up(merge, c);
	return true;
}

static uint64_t realtime(const struct ptl_log_merge *merge, uint64_t counter)
{
	const struct ptl_log_index *index = merge->index;

	return ptl_clock_realtime(index->clock, index->anchor,
				  index->nr_anchors, counter);
}

/* Did no event of the packet begin at a time that is wanted? */
static bool is_outside(const struct ptl_log_merge *merge,
		       const struct ptl_log_slot *slot)
{
	return (merge->since && slot->last != UINT64_MAX &&
		realtime(merge, slot->last) < merge->since) ||
	       (merge->until && realtime(merge, slot->first) > merge->until);
}

/* Opens a packet at its first event; NULL if it has none (or no memory). */
static struct ptl_log_cursor *open_packet(struct ptl_log_merge *merge,
					  struct ptl_log_slot *slot)
{
	struct ptl_log_cursor *c = get_cursor(merge);
	struct ptl_log_packet packet;

	if (!c) {
		if (!slot->bad)
			spoil(merge, slot, slot->offset,
			      slot->offset + slot->size);
		return NULL;
	}
	c->slot = slot;
	c->outside = false;
	c->base = slot->offset;
	c->end = slot->offset + slot->size;
	c->pos = c->filled = 0;
	/* Read again: the file may have changed since it was indexed. */
	if (!refill(merge, c, sizeof(packet))) {
		give_up(merge, c);
		goto none;
	}
	memcpy(&packet, c->buf, sizeof(packet));
	if (!ptl_log_index_header_ok(&packet) || packet.first != slot->first) {
		give_up(merge, c);
		goto none;
	}
	c->pos = sizeof(packet);
	c->span_counter = packet.span.counter;
	c->event = (struct ptl_event){
		.pid = packet.span.pid,
		.tid = packet.span.tid,
		.image = packet.span.image,
		.pidns = packet.span.pidns,
		.thread = packet.span.thread,
		.stack = c->stack,
		.when = packet.first,
	};
	c->last = packet.last >= packet.first ? packet.last : UINT64_MAX;
	if (packet.rank & PTL_PACKET_NESTED && !put_in_order(merge, c))
		goto none;
	for (uint64_t i = 0; i < slot->skip; i++)
		if (!step(merge, c))
			goto none;
	c->outside = merge->begun && is_outside(merge, slot);
	if (advance(merge, c))
		return c;
none:
	put_cursor(merge, c);
	return NULL;
}

/* Puts the item where it belongs, at place i or above. */
static void sift_up(struct ptl_log_merge *merge, size_t i,
		    struct ptl_log_merge_item item)
{
	struct ptl_log_merge_item *heap = merge->heap;

	for (; i > 0 && is_before(&item, &heap[(i - 1) / 2]); i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	heap[i] = item;
}

/*
 * The top has changed.  It mostly belongs far down, so the others move up
 * without being compared with it.
 */
static void sift_down(struct ptl_log_merge *merge)
{
	struct ptl_log_merge_item *heap = merge->heap, item = heap[0];
	size_t i = 0, child;

	while ((child = 2 * i + 2) < merge->nr_open) {
		child -= is_before(&heap[child - 1], &heap[child]);
		heap[i] = heap[child];
		i = child;
	}
	if (child == merge->nr_open) {
		heap[i] = heap[child - 1];
		i = child - 1;
	}
	sift_up(merge, i, item);
}

/* Opens the next packet, if it has events that are wanted. */
static void admit(struct ptl_log_merge *merge)
{
	struct ptl_log_slot *slot = &merge->index->slot[merge->next_slot++];
	struct ptl_log_cursor *c;

	if (merge->begun && slot->plain && is_outside(merge, slot))
		return;
	c = open_packet(merge, slot);
	if (!c)
		return;
	if (merge->nr_open == merge->room) {
		size_t room = merge->room ? merge->room * 2 : 16;
		void *more = realloc(merge->heap, room * sizeof(*merge->heap));

		if (!more) {
			c->pos = sizeof(struct ptl_log_packet);
			give_up(merge, c);
			put_cursor(merge, c);
			return;
		}
		merge->heap = more;
		merge->room = room;
	}
	sift_up(merge, merge->nr_open++,
		(struct ptl_log_merge_item){c->event.when, ptl_log_order(slot),
					    c});
}

/*
 * After the top moved on or went: opens what has become due and brings the
 * oldest record to the top.
 */
static void settle(struct ptl_log_merge *merge)
{
	const struct ptl_log_index *index = merge->index;

	if (merge->nr_open)
		sift_down(merge);
	while (merge->next_slot < index->nr_slots &&
	       (merge->nr_open == 0 ||
		index->slot[merge->next_slot].first <= merge->heap[0].when))
		admit(merge);
	merge->limit = merge->next_slot < index->nr_slots ?
			       index->slot[merge->next_slot].first :
			       UINT64_MAX;
	for (size_t i = 1; i < PTL_MIN(merge->nr_open, 3); i++)
		merge->limit = PTL_MIN(merge->limit, merge->heap[i].when);
}

/* At the end: of many logs most are over, or have not begun. */
static PTL_COLD void free_spare(struct ptl_log_merge *merge)
{
	struct ptl_log_cursor *c;

	while ((c = merge->spare)) {
		merge->spare = c->next;
		free(c->buf);
		free(c);
	}
}

/* After the last event of the top's packet, or where another one's turn may
 * have come; or at the beginning. */
static PTL_NOINLINE struct ptl_event *next_of_other(struct ptl_log_merge *merge,
						    bool has_more)
{
	struct ptl_log_merge_item *top = merge->heap;

	if (has_more) {
		top->when = merge->top->event.when;
	} else if (merge->top) {
		put_cursor(merge, merge->top);
		*top = merge->heap[--merge->nr_open];
	}
	settle(merge);
	merge->top = NULL;
	if (merge->nr_open == 0) {
		free_spare(merge);
		return NULL;
	}
	merge->begun = true;
	merge->top = merge->heap[0].cursor;
	return &merge->top->event;
}

struct ptl_event *ptl_log_merge_next(struct ptl_log_merge *merge)
{
	struct ptl_log_cursor *c = merge->top;
	bool has_more = c && advance(merge, c);

	if (PTL_LIKELY(has_more && c->event.when < merge->limit))
		return &c->event;
	return next_of_other(merge, has_more);
}

void ptl_log_merge_limit(struct ptl_log_merge *merge, uint64_t since,
			 uint64_t until)
{
	merge->since = since;
	merge->until = until;
}

void ptl_log_merge_rewind(struct ptl_log_merge *merge)
{
	while (merge->nr_open)
		put_cursor(merge, merge->heap[--merge->nr_open].cursor);
	merge->next_slot = 0;
	merge->top = NULL;
	merge->begun = false;
}

void ptl_log_merge_free(struct ptl_log_merge *merge)
{
	ptl_log_merge_rewind(merge);
	free_spare(merge);
	free(merge->heap);
}

uint64_t ptl_log_merge_count(struct ptl_log_merge *merge,
			     struct ptl_log_slot *slot)
{
	struct ptl_log_cursor *c;
	bool begun = merge->begun;
	uint64_t nr = 0;

	/* All of them, whatever is wanted. */
	merge->begun = false;
	c = open_packet(merge, slot);
	merge->begun = begun;
	if (!c)
		return 0;
	do
		nr++;
	while (step(merge, c));
	put_cursor(merge, c);
	return nr;
}
