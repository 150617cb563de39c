/* SPDX-License-Identifier: MIT */
/* What a signal of ours interrupted, a crash or a sample, as the seam (core.h)
 * has it. */
#include "core/core.h"

#include "core/record/attached.h"
#include "core/record/crash.h"
#include "core/unwind/unwind.h"

static_assert(PTL_CORE_REGISTERS == PTL_DWARF_REGS, "what is unwound from");

static bool is_wanted(enum ptl_sysevent id)
{
	uint64_t left = ptl_attached_active() & ptl_attached_calls();

	for (; left; left &= left - 1) {
		const struct ptl_map *map =
			ptl_attached_map((unsigned int)__builtin_ctzll(left));

		if (map && !ptl_map_filters(map, id))
			return true;
	}
	return false;
}

bool ptl_core_wants_crashes(void)
{
	return is_wanted(PTL_EV_SIGNAL_CRASH);
}

bool ptl_core_wants_samples(void)
{
	return is_wanted(PTL_EV_CPU_SAMPLE);
}

void ptl_core_sample(int64_t weight, bool was_in_kernel, const uint64_t *reg,
		     const void *addr)
{
	ptl_sample_emit(weight, was_in_kernel, reg, addr);
}

void ptl_core_crash(const void *data, size_t size, const uint64_t *reg,
		    const void *addr)
{
	ptl_crash_emit(data, size, reg, addr);
}
