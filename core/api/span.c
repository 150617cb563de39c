/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_span_begin_np, posix_trace_span_end_np: two system events, that
 * belong together by the span's number; posix_trace_span_link_np: one that
 * names two spans.  Async-signal-safe, as posix_trace_event() is.
 */
#include "core/buffer/outsider.h"
#include "core/buffer/slot.h"
#include "core/format/sysevents.h"
#include "core/record/attached.h"
#include "core/record/emit.h"
#include "core/record/fastpath.h"
#include "core/record/slots.h"
#include "core/sys/clock.h"

#include <trace.h>

#undef posix_trace_span_begin_np
#undef posix_trace_span_end_np
#undef posix_trace_span_link_np

/*
 * A number is tid:22 count:42.  The count of a thread goes on from the clock
 * when its first span begins, in steps of 32: no span begins as fast, so that
 * one which comes to the same tid later (also by exec) counts from more.
 */
#define COUNT_BITS 42
#define COUNT_SHIFT 5

/* What is recorded of a begin: the fields of span:begin. */
struct begin {
	uint64_t span, type;
	unsigned char is_cut;
	char data[POSIX_TRACE_SPAN_DATA_MAX_NP];
} __attribute__((packed));
#define BEGIN_SIZE offsetof(struct begin, data)

static PTL_COLD uint64_t first_number(uint32_t tid)
{
	uint64_t count = ptl_thread.no_counter ? ptl_clock_guess_ns() :
						 ptl_clock_now(PTL_CLOCK_TSC);

	count = count >> COUNT_SHIFT & ((UINT64_C(1) << COUNT_BITS) - 1);
	return (uint64_t)tid << COUNT_BITS | count;
}

/* One instruction, so that a handler in between takes another number. */
PTL_INLINE uint64_t count_on(uint64_t *number)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
	uint64_t last = 1;

	__asm__ volatile("xaddq %0, %1"
			 : "+r"(last), "+m"(*number)
			 :
			 : "cc", "memory");
	return last + 1;
#else
	return __atomic_add_fetch(number, 1, __ATOMIC_RELAXED);
#endif
}

/* 0: the thread has no slot, and records nothing.  A fork child's is wiped. */
static uint64_t take_number(void)
{
	struct ptl_slot *slot = ptl_slot_mine();

	if (!slot)
		return 0;
	if (PTL_UNLIKELY(PTL_LOAD_PLAINLY(&slot->user_span) == 0))
		ptl_word_change(&slot->user_span, 0,
				first_number(ptl_thread.tid));
	return count_on(&slot->user_span);
}

PTL_INLINE void emit(uint32_t id, const void *data, size_t size,
		     const void *addr, uint64_t active)
{
	ptl_fastpath_emit(id, data, size, addr, active, PTL_EV_SPAN_BEGIN,
			  ptl_fastpath_vector, ptl_emit_long);
}

/* In which the type means something, and in which not. */
static void emit_begin(struct begin *begin, size_t size, const void *addr,
		       uint64_t active)
{
	uint64_t strange = active & ptl_attached_strangers();

	if (PTL_LIKELY(active & ~strange))
		emit(PTL_EV_SPAN_BEGIN, begin, size, addr, active & ~strange);
	if (PTL_UNLIKELY(strange)) {
		begin->type = POSIX_TRACE_UNNAMED_USEREVENT;
		emit(PTL_EV_SPAN_BEGIN, begin, size, addr, strange);
	}
}

static bool is_user_type(uint32_t id)
{
	return id - PTL_ID_FIRST_USER < PTL_ID_LIMIT - PTL_ID_FIRST_USER ||
	       id == POSIX_TRACE_UNNAMED_USEREVENT;
}

static uint64_t begin(uint32_t id, const void *data, size_t size,
		      const void *addr, uint64_t active)
{
	struct begin begin;

	if (PTL_UNLIKELY(ptl_outsider()) || !is_user_type(id))
		return 0;
	/* The span of a type that is filtered is not recorded, nor its end. */
	active = ptl_emit_unfiltered(active, id);
	begin.span = active ? take_number() : 0;
	if (!begin.span)
		return 0;
	begin.type = id;
	if (!data)
		size = 0;
	begin.is_cut = size > sizeof(begin.data);
	size = PTL_MIN(size, sizeof(begin.data));
	if (size)
		__builtin_memcpy(begin.data, data, size);
	emit_begin(&begin, BEGIN_SIZE + size, addr, active);
	return begin.span;
}

PTL_EXPORT void posix_trace_span_begin_np(trace_event_id_t event_id,
					  const void *restrict data_ptr,
					  size_t data_len,
					  trace_span_np_t *restrict span)
{
	uint64_t active = ptl_attached_bits(), number = 0;

	if (PTL_UNLIKELY(active))
		number = begin(event_id, data_ptr, data_len,
			       __builtin_return_address(0), active);
	if (span)
		*span = number;
}

PTL_EXPORT void posix_trace_span_end_np(trace_span_np_t span)
{
	uint64_t active = ptl_attached_bits(), number = span;

	if (PTL_UNLIKELY(active) && number)
		emit(PTL_EV_SPAN_END, &number, sizeof(number),
		     __builtin_return_address(0), active);
}

PTL_EXPORT void posix_trace_span_link_np(trace_span_np_t span,
					 trace_span_np_t to, int kind)
{
	uint64_t active = ptl_attached_bits();
	uint64_t data[] = {span, to, (uint64_t)kind};

	if (PTL_UNLIKELY(active) && span && to)
		ptl_fastpath_emit(PTL_EV_SPAN_LINK, data, sizeof(data),
				  __builtin_return_address(0), active,
				  PTL_EV_SPAN_LINK, ptl_fastpath_vector,
				  ptl_emit_long);
}
