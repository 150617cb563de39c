/* SPDX-License-Identifier: MIT */
/*
 * The one source of time: the CPU's counter where the kernel itself trusts
 * it, else CLOCK_MONOTONIC straight from the vDSO (a faked clock_gettime()
 * in the program must not fool us).  Counter values become CLOCK_REALTIME
 * only when they are read, by a piecewise linear function through anchors.
 */
#ifndef PTL_CORE_SYS_CLOCK_H
#define PTL_CORE_SYS_CLOCK_H

#include "core/format/layout.h"
#include "core/sys/wide.h"

#include <time.h>

/* Finds the vDSO's clock_gettime; called early, and again if the program was
 * forbidden the counter (PR_SET_TSC) since.  Without it the system call is
 * used. */
void ptl_clock_init(void);

/* PTL_CLOCK_TSC or PTL_CLOCK_MONOTONIC: what a new stream should use here. */
uint32_t ptl_clock_choose(void);

/* May this process read that clock?  (PR_SET_TSC forbids the counter.) */
bool ptl_clock_allowed(uint32_t clock);

/*
 * Some thread of this process may not read the counter, and the vDSO does so,
 * too: it is left alone from here on.  With `measure' (system calls, and some
 * milliseconds) its rate is known then.
 */
void ptl_clock_guard(bool measure);
extern _Atomic bool ptl_clock_guarded;

/* Was it called, in any thread?  Then ptl_clock_guess() can guess. */
PTL_INLINE bool ptl_clock_is_guarded(void)
{
	/* Pairs with ptl_clock_guard(). */
	return atomic_load_explicit(&ptl_clock_guarded, memory_order_acquire);
}

/* What the counter may be, for a thread that cannot read it; if it may make a
 * system call, by the time since it could. */
uint64_t ptl_clock_guess(bool may_ask);

/* CLOCK_MONOTONIC when the counter could be read last, for a thread that can
 * neither read it nor make a system call. */
uint64_t ptl_clock_guess_ns(void);

/* clock_gettime() of the vDSO in nanoseconds; async-signal-safe. */
uint64_t ptl_clock_ns(clockid_t id);

/* The clock by a system call: a process that has just been made or executed has
 * none of the vDSO's pages, and to be given them costs many system calls. */
uint64_t ptl_clock_ask(clockid_t id);

PTL_INLINE uint64_t ptl_clock_now(uint32_t clock)
{
#if defined(__x86_64__) || defined(__i386__)
	if (PTL_LIKELY(clock == PTL_CLOCK_TSC))
		return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	if (PTL_LIKELY(clock == PTL_CLOCK_TSC)) {
		uint64_t count;

		__asm__ volatile("isb\n\tmrs %0, cntvct_el0"
				 : "=r"(count)
				 :
				 : "memory");
		return count;
	}
#endif
	(void)clock;
	return ptl_clock_ns(CLOCK_MONOTONIC);
}

/* Of the clock a new stream would use here, in nanoseconds. */
uint32_t ptl_clock_resolution(void);

/*
 * CLOCK_REALTIME - CLOCK_MONOTONIC, modulo 2^64.  Asked once for each stream
 * and kept in ptl_shm_log.clock_offset, so that setting the clock later does
 * not bend the trace.
 */
uint64_t ptl_clock_offset(void);

/*
 * A pair (counter, CLOCK_MONOTONIC + offset) of this moment, good to some
 * nanoseconds.  Not before `prev', the anchor it will follow (or NULL), in
 * either: so the function through the anchors is monotone.
 *
 * What lies between two anchors is never revised; what lies beyond the last
 * is a guess.  So a reader that meets a counter later than its last anchor
 * takes another one first: events already recorded are before it.
 */
void ptl_clock_anchor(uint32_t clock, uint64_t offset,
		      const struct ptl_shm_anchor *prev,
		      struct ptl_shm_anchor *anchor);

/*
 * A stretch of the function below, for counters from begin on and before end:
 * a line through one point, of slope whole + rest/dx.  To follow it takes no
 * division.
 */
struct ptl_clock_line {
	uint64_t begin, end;
	uint64_t counter, ns;
	uint64_t whole, rest, dx;
	uint64_t part; /* 2^64 * rest/dx, rounded down */
};

PTL_INLINE bool ptl_clock_covers(const struct ptl_clock_line *line,
				 uint64_t counter)
{
	return counter >= line->begin && counter < line->end;
}

PTL_INLINE uint64_t ptl_clock_follow(const struct ptl_clock_line *line,
				     uint64_t counter)
{
	bool after = counter >= line->counter;
	uint64_t x = after ? counter - line->counter : line->counter - counter;
	uint64_t low, y = ptl_wide_product(x, line->part, &low);

	/* `part' was rounded, too: that makes one less at most, where the
	 * product is nearly a whole number. */
	if (PTL_UNLIKELY(low > UINT64_MAX - x))
		y += ptl_wide_reaches(x, line->rest, y, line->dx);
	y += x * line->whole;
	return after ? line->ns + y : line->ns - y;
}

/*
 * CLOCK_REALTIME in ns of a counter value, linear between the n anchors,
 * which ascend in both.  Before the first and after the last the slope there
 * goes on.  Of a single anchor the slope is this machine's: exact for
 * PTL_CLOCK_MONOTONIC, else the counter's frequency (the first such call of a
 * process takes 2 ms to measure it).  Foreign anchors: any value, no crash.
 */
uint64_t ptl_clock_realtime(uint32_t clock, const struct ptl_shm_anchor *anchor,
			    size_t n, uint64_t counter);

/* The stretch of it that a counter value is on. */
struct ptl_clock_line ptl_clock_line(uint32_t clock,
				     const struct ptl_shm_anchor *anchor,
				     size_t n, uint64_t counter);

#endif
