/* SPDX-License-Identifier: MIT */
/* Records what patched functions tell; see entry.h.  While this runs the vector
 * registers are the program's. */
#include "preload/patch/entry.h"

#include "core/core.h"
#include "core/format/patches.h"

#include "preload/hook/site.h"

#include <string.h>

PTL_INLINE uint64_t callee_of(uintptr_t mark)
{
	int32_t distance;

	memcpy(&distance, (const void *)(mark + PTL_PATCH_MARK),
	       sizeof(distance));
	return *(const uint64_t *)(mark + PTL_PATCH_MARK_SIZE +
				   (uintptr_t)(intptr_t)distance);
}

PTL_INLINE const void *caller_of(const uint64_t *ret)
{
	return (const void *)ptl_site_plain(*ret);
}

void ptl_told_begin(uintptr_t mark, const uint64_t *ret)
{
	ptl_core_call_begin(callee_of(mark), caller_of(ret), (uintptr_t)ret, 0);
}

void ptl_told_loop(uintptr_t mark, const uint64_t *ret)
{
	/* A call that has begun comes by again. */
	if (!ptl_core_nest_is_newest((uintptr_t)ret))
		ptl_told_begin(mark, ret);
}

void ptl_told_only(uintptr_t mark, const uint64_t *ret)
{
	ptl_core_call_enter(callee_of(mark), caller_of(ret), 0);
}

void ptl_told_end(uintptr_t mark, const uint64_t *ret, uint64_t value)
{
	ptl_core_call_end(PTL_EV_CALL_RETURN, callee_of(mark), value,
			  caller_of(ret), (uintptr_t)ret);
}

void ptl_told_left(uintptr_t mark, const uint64_t *ret)
{
	ptl_core_call_left(callee_of(mark), caller_of(ret), (uintptr_t)ret);
}
