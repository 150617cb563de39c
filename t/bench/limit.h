/* SPDX-License-Identifier: MIT */
/*
 * What there is to compare with: the least that recording, logging and
 * reading events can cost on this machine, written by hand, without any of
 * the promises that libptrace makes.
 */
#ifndef PTL_T_BENCH_LIMIT_H
#define PTL_T_BENCH_LIMIT_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t limit_counter(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#else
	uint64_t value;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
	return value;
#endif
}

/* What an event must carry. */
struct limit_record {
	uint64_t counter;
	uint32_t pid, tid;
	uint64_t addr;
	uint32_t id, size;
};

/* A ring of 1 MiB for the calling thread, touched; and its end. */
void limit_begin(void);
void limit_end(void);

/* Nr events of `size' (0, 16, 64 or 256) bytes into the ring. */
void limit_loop(unsigned long nr, const void *data, size_t size);

/* One event of 16 bytes. */
void limit_one(const void *data);

/* Nr tests of one word, in place. */
void limit_tests(unsigned long nr, const void *data, size_t size);

/* Nr calls of a function that tests one word and returns. */
void limit_calls(unsigned long nr, const void *data, size_t size);

#endif
