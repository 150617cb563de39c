/* SPDX-License-Identifier: MIT */
/* How a process ends that did not want to, as the seam (core.h) has it. */
#include "core/core.h"

#include "core/record/attached.h"
#include "core/record/crash.h"
#include "core/unwind/unwind.h"

static_assert(PTL_CORE_REGISTERS == PTL_DWARF_REGS, "what is unwound from");

bool ptl_core_wants_crashes(void)
{
	uint64_t left = ptl_attached_active() & ptl_attached_calls();

	for (; left; left &= left - 1) {
		const struct ptl_map *map =
			ptl_attached_map((unsigned int)__builtin_ctzll(left));

		if (map && !ptl_map_filters(map, PTL_EV_SIGNAL_CRASH))
			return true;
	}
	return false;
}

void ptl_core_crash(const void *data, size_t size, const uint64_t *reg,
		    const void *addr)
{
	ptl_crash_emit(data, size, reg, addr);
}
