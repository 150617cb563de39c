/* SPDX-License-Identifier: MIT */
/*
 * The width of a process.  The library is also built for programs of 32 bits,
 * which share memory with those of 64: what both see has the types of 64 bits
 * in either (format/).  What a process of 32 bits says otherwise to its kernel
 * is here: calls by the names that those of 64 bits have, and structures as the
 * kernel has them.
 */
#ifndef PTL_CORE_SYS_WIDE_H
#define PTL_CORE_SYS_WIDE_H

#include "core/base.h"

#include <sys/stat.h>
#include <sys/syscall.h>

/* What the kernel fills for fstat(). */
#if __SIZEOF_POINTER__ == 8
#define ptl_kstat stat
#define PTL_SYS_CLOCK SYS_clock_gettime
#else
#define ptl_kstat stat64
#define PTL_SYS_CLOCK SYS_clock_gettime64

/* The calls of these names are of times when ids had 16 bits. */
#undef SYS_fstat
#undef SYS_fcntl
#undef SYS_fchown
#undef SYS_getuid
#undef SYS_getgid
#undef SYS_geteuid
#undef SYS_getegid
#undef SYS_getresuid
#define SYS_fstat SYS_fstat64
#define SYS_newfstatat SYS_fstatat64
#define SYS_fcntl SYS_fcntl64
#define SYS_fchown SYS_fchown32
#define SYS_getuid SYS_getuid32
#define SYS_getgid SYS_getgid32
#define SYS_geteuid SYS_geteuid32
#define SYS_getegid SYS_getegid32
#define SYS_getresuid SYS_getresuid32
/* Offsets of 64 bits; of SYS_mmap in pages of 4096 bytes. */
#undef SYS_ftruncate
#undef SYS_mmap
#define SYS_ftruncate SYS_ftruncate64
#define SYS_mmap SYS_mmap2
#endif

/* What the kernel fills for PTL_SYS_CLOCK. */
struct ptl_ktimespec {
	int64_t tv_sec;
	int64_t tv_nsec;
};

/* An argument of 64 bits, and what of it is in the next. */
#if __SIZEOF_POINTER__ == 8
#define PTL_SYS_WIDE(x) (long)(x), 0
#define PTL_SYS_MAP_UNIT 1
#else
#define PTL_SYS_WIDE(x) \
	(long)(uint32_t)(uint64_t)(x), (long)((uint64_t)(x) >> 32)
#define PTL_SYS_MAP_UNIT 4096
#endif

/* The upper half of a * b. */
PTL_INLINE uint64_t ptl_wide_product(uint64_t a, uint64_t b, uint64_t *low)
{
#if __SIZEOF_POINTER__ == 8
	unsigned __int128 product = (unsigned __int128)a * b;

	*low = (uint64_t)product;
	return (uint64_t)(product >> 64);
#else
	uint64_t low_a = (uint32_t)a, low_b = (uint32_t)b;
	uint64_t high_a = a >> 32, high_b = b >> 32;
	uint64_t first = low_a * low_b, second = high_a * low_b + (first >> 32);
	uint64_t third = low_a * high_b + (uint32_t)second;

	*low = a * b;
	return high_a * high_b + (second >> 32) + (third >> 32);
#endif
}

/* a * b - c * d >= d; not less than 0. */
PTL_INLINE bool ptl_wide_reaches(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	uint64_t first, second, high = ptl_wide_product(a, b, &first);

	high -= ptl_wide_product(c, d, &second) + (first < second);
	return high || first - second >= d;
}

/* Is one pair before the other?  Without a branch. */
PTL_INLINE bool ptl_wide_before(uint64_t high_a, uint64_t low_a,
				uint64_t high_b, uint64_t low_b)
{
#if __SIZEOF_POINTER__ == 8
	return ((unsigned __int128)high_a << 64 | low_a) <
	       ((unsigned __int128)high_b << 64 | low_b);
#else
	return (high_a < high_b) | ((high_a == high_b) & (low_a < low_b));
#endif
}

#endif
