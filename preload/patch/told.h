/* SPDX-License-Identifier: MIT */
/* What told.c and told_typed.c ask of each call. */
#ifndef PTL_PRELOAD_PATCH_TOLD_H
#define PTL_PRELOAD_PATCH_TOLD_H

#include "core/core.h"
#include "core/format/patches.h"

#include "preload/hook/hooked.h"
#include "preload/hook/site.h"

/* From a mark to the distance, and to what that is counted from. */
#if defined(__aarch64__)
#define PTL_TOLD_MARK PTL_PATCH_A64_MARK
#define PTL_TOLD_MARK_END PTL_PATCH_A64_MARK_END
#else
#define PTL_TOLD_MARK PTL_PATCH_MARK
#define PTL_TOLD_MARK_END PTL_PATCH_MARK_SIZE
#endif

/* The words of the function to which a mark leads. */
PTL_INLINE const uint64_t *ptl_told_words(uintptr_t mark)
{
	int32_t distance;

	__builtin_memcpy(&distance,
			 (const void *)(mark + (uintptr_t)PTL_TOLD_MARK),
			 sizeof(distance));
	return (const uint64_t *)(mark + (uintptr_t)PTL_TOLD_MARK_END +
				  (uintptr_t)(intptr_t)distance);
}

/* A word of a function that is switched off has a byte that an address has not:
 * one thread may have set it since another has asked for it (entry.S). */
#define PTL_TOLD_OFF 7

PTL_INLINE uint64_t ptl_told_callee(uint64_t word)
{
	return word & (UINT64_MAX >> 8);
}

PTL_INLINE const void *ptl_told_caller(const uint64_t *ret)
{
	return (const void *)ptl_site_plain(*ret);
}

PTL_INLINE bool ptl_told_has_limits(void)
{
	return PTL_UNLIKELY(ptl_limits.ticks | ptl_limits.depth);
}

/* Has the trace that has the process now asked for no functions? */
PTL_INLINE bool ptl_told_is_off(void)
{
	return ptl_limits.ticks == PTL_CORE_NEVER;
}

PTL_INLINE bool ptl_told_is_too_deep(uintptr_t at)
{
	return ptl_limits.depth && ptl_core_nest_depth(at) >= ptl_limits.depth;
}

#endif
