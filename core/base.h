/* SPDX-License-Identifier: MIT */
/* The words every file of core/ and preload/ may use.  No functions. */
#ifndef PTL_CORE_BASE_H
#define PTL_CORE_BASE_H

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Everything is hidden but what carries this. */
#define PTL_EXPORT __attribute__((visibility("default")))

/*
 * A function that a program or libc may call with a stack that is not aligned
 * as the ABI has it, and that libc's own function would not have minded:
 * assembly does, and emulators that deliver signals.  What it calls finds the
 * stack aligned.
 */
#if defined(__x86_64__) || defined(__i386__)
#define PTL_ALIGNS __attribute__((force_align_arg_pointer))
#else
#define PTL_ALIGNS
#endif
#define PTL_ENTRY PTL_EXPORT PTL_ALIGNS

#define PTL_LIKELY(x) __builtin_expect(!!(x), 1)
#define PTL_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define PTL_INLINE static inline __attribute__((always_inline))
#define PTL_NOINLINE __attribute__((noinline))
#define PTL_COLD __attribute__((noinline, cold))
/* For what is large and mostly unused: behind the rest, which is so dense that
 * a process that starts touches few pages. */
#define PTL_BULK __attribute__((section(".bss.bulk")))
/* Of that the first: what is written at its beginning is still in a page of the
 * rest. */
#define PTL_BULK_FIRST __attribute__((section(".bss.begin")))
/* What a process has no use for before it makes certain calls: behind all
 * that, and together. */
#define PTL_SELDOM __attribute__((section(".bss.seldom")))
#define PTL_MUST_CHECK __attribute__((warn_unused_result))

/* Order as a handler on the same thread sees it: for the compiler alone. */
#define PTL_HANDLER_FENCE() __asm__ volatile("" ::: "memory")

/* A relaxed load that compilers fold into a comparison, as they do not do with
 * atomic ones. */
#ifdef __SANITIZE_THREAD__
#define PTL_LOAD_PLAINLY(p) __atomic_load_n(p, __ATOMIC_RELAXED)
#else
#define PTL_LOAD_PLAINLY(p) (*(p))
#endif

#define PTL_ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define PTL_MIN(a, b) ((a) < (b) ? (a) : (b))
#define PTL_MAX(a, b) ((a) > (b) ? (a) : (b))

#endif
