/* SPDX-License-Identifier: MIT */
/*
 * Threads on the processor and off it, by the kernel's records of switches.
 * Each time off it that is long enough is told when it is over, and of each
 * thread the sums when it ends.
 */
#ifndef PTL_TOOLS_SAMPLER_THREADS_H
#define PTL_TOOLS_SAMPLER_THREADS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Of which thread something is, and when. */
struct ptl_threads_at {
	pid_t pid, tid;
	uint64_t when;
	unsigned int cpu;
};

/* Times of so many ns and more are told; 0: nothing is. */
void ptl_threads_least(uint64_t ns);

/* A new thread may run, but does not as yet. */
void ptl_threads_begin(const struct ptl_threads_at *at);
void ptl_threads_end(const struct ptl_threads_at *at);

/* One that was there before: it waits, or nothing is known. */
void ptl_threads_found(const struct ptl_threads_at *at, bool waits);

/* The thread runs a new program: as the only one of its process. */
void ptl_threads_exec(const struct ptl_threads_at *at);

/* A thread leaves the processor, though it could go on, if it is preempted. */
void ptl_threads_off(const struct ptl_threads_at *at, bool is_preempted);
void ptl_threads_on(const struct ptl_threads_at *at);

/* The thread had to wait for a page, until just now: an instruction did, to
 * which `address' is as one that returns to behind it. */
void ptl_threads_page(const struct ptl_threads_at *at, uint64_t address);

/* All of before is known: what would have been told of it was. */
void ptl_threads_settle(uint64_t before);

/* Records were lost: of no thread is known whether it runs. */
void ptl_threads_lose(void);

/* What threads do from then on is not of interest; until that is over. */
void ptl_threads_pause(uint64_t when);
void ptl_threads_resume(uint64_t when);

/* No more is known of any thread, from then on. */
void ptl_threads_leave(uint64_t when);

#endif
