/* SPDX-License-Identifier: MIT */
/*
 * How the fast path records: for fastpath.c, fastpath_gpr.c and
 * fastpath_vector.c.  The stores are those of ptl_record_write().
 */
#ifndef PTL_CORE_RECORD_FASTPATH_IMPL_H
#define PTL_CORE_RECORD_FASTPATH_IMPL_H

#include "core/format/record.h"
#include "core/record/fastpath.h"
#include "core/record/held.h"
#include "core/record/owner.h"
#include "core/record/pins.h"
#include "core/sys/check.h"
#include "core/sys/clock.h"
#include "core/sys/wait.h"

/* The counter as the CPU gives it: its halves go to different words. */
struct time {
	uint32_t lower, upper;
};

PTL_INLINE struct time read_counter(void)
{
#if defined(__x86_64__)
	struct time now;

	__asm__ volatile("rdtsc"
			 : "=a"(now.lower), "=d"(now.upper)
			 :
			 : "memory");
#else
	uint64_t count = ptl_clock_now(PTL_CLOCK_TSC);
	struct time now = {(uint32_t)count, (uint32_t)(count >> 32)};

	PTL_HANDLER_FENCE();
#endif
	return now;
}

/* Two words of so many bytes, which may overlap. */
#define COPY_PAIR(type, to, from, size) \
	do { \
		type first_, last_; \
		__builtin_memcpy(&first_, from, sizeof(type)); \
		__builtin_memcpy(&last_, from + size - sizeof(type), \
				 sizeof(type)); \
		__builtin_memcpy(to, &first_, sizeof(type)); \
		__builtin_memcpy(to + size - sizeof(type), &last_, \
				 sizeof(type)); \
	} while (0)

/* Two times sixteen bytes, which may overlap.  Without vector registers a
 * compiler would also store them in the stack. */
PTL_INLINE void copy_sixteens(unsigned char *to, const unsigned char *from,
			      size_t size)
{
#if defined(__SSE2__) || defined(__ARM_NEON)
	struct sixteen {
		uint64_t word[2];
	};

	COPY_PAIR(struct sixteen, to, from, size);
#else
	uint64_t word[4];

	__builtin_memcpy(&word[0], from, 8);
	__builtin_memcpy(&word[1], from + 8, 8);
	__builtin_memcpy(&word[2], from + size - 16, 8);
	__builtin_memcpy(&word[3], from + size - 8, 8);
	__builtin_memcpy(to, &word[0], 8);
	__builtin_memcpy(to + 8, &word[1], 8);
	__builtin_memcpy(to + size - 16, &word[2], 8);
	__builtin_memcpy(to + size - 8, &word[3], 8);
#endif
}

/* More than 64: by an index from the end, which is all that is counted. */
PTL_INLINE void copy_long(unsigned char *to, const unsigned char *from,
			  size_t size)
{
	ptrdiff_t at = -(ptrdiff_t)size;

	to += size;
	from += size;
	do {
		__builtin_memcpy(to + at, from + at, 64);
		at += 64;
		/* Not the compiler's choice, two pointers and an end. */
		__asm__("" : "+r"(to), "+r"(from), "+r"(at));
	} while (at < -64);
	__builtin_memcpy(to - 64, from - 64, 64);
}

/* A call of memcpy() costs more than most events have. */
PTL_INLINE void copy(unsigned char *to, const unsigned char *from, size_t size)
{
	if (PTL_UNLIKELY(size > 16)) {
		if (size > 64) {
			copy_long(to, from, size);
		} else if (size > 32) {
			copy_sixteens(to, from, 32);
			copy_sixteens(to + size - 32, from + size - 32, 32);
		} else {
			copy_sixteens(to, from, size);
		}
		return;
	}
	if (PTL_LIKELY(size >= 8))
		COPY_PAIR(uint64_t, to, from, size);
	else if (size >= 4)
		COPY_PAIR(uint32_t, to, from, size);
	else if (size >= 2)
		COPY_PAIR(uint16_t, to, from, size);
	else if (size)
		*to = *from;
}

/* As ptl_record_write(), into a place that is reserved. */
PTL_INLINE void store(uint64_t *to, uint64_t *end, uint64_t header,
		      uint32_t time_hi, const void *addr, const void *data,
		      size_t size)
{
	/* There is room for it.  And a zero for what the data may not fill of
	 * their last word. */
	ptl_record_bound(end, sizeof(*end));
	end[-1] = 0;
	/* The id of a pending record is all ones.
	 * Pairs with ptl_record_parse(). */
	__atomic_store_n(to, header | ptl_record_id_bits(PTL_ID_PENDING),
			 __ATOMIC_RELEASE);
	PTL_HANDLER_FENCE();
	to[1] = (uint64_t)time_hi << PTL_RECORD_ADDR_BITS | (uintptr_t)addr;
	copy((unsigned char *)(to + 2), data, size);
	/* Pairs with ptl_record_parse(). */
	__atomic_store_n(to, header | PTL_RECORD_COMMITTED, __ATOMIC_RELEASE);
}

/* The caller, and what it does itself after the record. */
enum caller {
	ALONE,	 /* nothing: all that is not the plain case is done, too */
	SEVERAL, /* that, to unmark the slot, and what pins it */
};

/* A reader waits for an event, or a chunk for the end of this one. */
static PTL_COLD void finish(struct ptl_slot *slot, struct ptl_shm_head *head,
			    enum caller caller)
{
	if (ptl_slots_may_call())
		ptl_wait_wake(&head->sleeper);
	if (caller == SEVERAL)
		return;
	if (ptl_slot_pinned(slot))
		ptl_pins_clear(slot);
	PTL_CHECK(ptl_held_pins_are_seen(slot));
	ptl_slot_unmark(slot);
}

/*
 * The time of an event.  In further streams of several that of the first: to
 * read the counter is half of what it costs to record.  But not if a handler
 * has recorded before the word of this one was loaded: that is earlier in the
 * chunk.  One that records from here on changes the word.
 */
PTL_INLINE struct time time_of_event(const uint64_t *when, enum caller caller)
{
	if (caller == SEVERAL && *when && !ptl_thread.slot->overtaken)
		return (struct time){(uint32_t)*when, (uint32_t)(*when >> 32)};
	return read_counter();
}

PTL_INLINE void note_time(uint64_t *when, struct time now)
{
	if (when)
		*when = (uint64_t)now.upper << 32 | now.lower;
}

/* Leaves in *when, if that is wanted, when it was recorded, if it was here. */
PTL_INLINE bool record(uint32_t id, const void *data, size_t size,
		       const void *addr, struct ptl_slot_stream *own,
		       struct ptl_shm_head *head, enum caller caller,
		       uint64_t *when)
{
	/* A handler may forget the stream here, and even attach another.  Then
	 * the word changes, and the old mapping stays while we are inside. */
	struct ptl_slot *slot;
	uint64_t word, next, header, *to, *end;
	struct time now;

	if (PTL_UNLIKELY(size > own->max_data || (!data && size) ||
			 (uintptr_t)addr > PTL_ADDR_MASK))
		goto not_short;
	word = own->word;
	next = word + (((uint32_t)size + PTL_RECORD_HEADER + 7) >> 3);
	if (PTL_UNLIKELY((uint32_t)next >= (uint32_t)own->units))
		goto not_short;
	/* After the word: whoever changes that sets the base first, so that of
	 * a base that does not belong to the word nothing comes. */
	PTL_HANDLER_FENCE();
	to = (uint64_t *)(void *)own->base + (uint32_t)word;
	end = to + (next - word);
	header = id << PTL_RECORD_ID_SHIFT | size;
	/* All that can be done before the clock is read is done there. */
	__asm__ volatile("" : "+r"(to), "+r"(end), "+r"(header), "+r"(next));
	now = time_of_event(when, caller);
	header |= (uint64_t)now.lower << 32;
	__asm__ volatile("" : "+r"(header));
	id = (uint32_t)header >> PTL_RECORD_ID_SHIFT;
	PTL_CHECK(ptl_held_is_ours(own, word,
				   (unsigned char *)(to - (uint32_t)word)));
	PTL_CHECK(ptl_word_may_change(word, next));
	/* The thread that stops the stream reads its clock later than a thread
	 * that saw it run after reading the clock; each start is counted in the
	 * state. */
	if (PTL_UNLIKELY(now.upper >= own->until ||
			 ptl_head_state(head) != ptl_gate_state(own->gate) ||
			 !ptl_word_change(&own->word, word, next)))
		goto not_short;
	PTL_CHECK(ptl_held_is_blank(own, (unsigned char *)to));
	ptl_slot_count(own);
	note_time(when, now);
	store(to, end, header, now.upper, addr, data, size);
	PTL_HANDLER_FENCE();
	slot = ptl_thread.slot;
	if (PTL_UNLIKELY(
		    atomic_load_explicit(&head->sleeper, memory_order_relaxed) |
		    (caller == ALONE ? ptl_slot_pinned(slot) : 0))) {
		finish(slot, head, caller);
		return true;
	}
	if (caller != SEVERAL) {
		PTL_CHECK(ptl_held_pins_are_seen(slot));
		ptl_slot_unmark(slot);
	}
	return true;
not_short:
	if (caller == SEVERAL)
		return false;
	slot = ptl_thread.slot;
	ptl_slot_unmark(slot);
	ptl_emit_long(id, data, size, addr,
		      UINT64_C(1) << (own - slot->stream));
	return true;
}

#endif
