/* SPDX-License-Identifier: MIT */
/* Processes that record nothing by themselves, called through the seam
 * (core.h). */
#include "core/core.h"

#include "core/process/aside.h"
#include "core/process/join.h"
#include "core/record/attached.h"
#include "core/unwind/unwind.h"

static void init_aside(const char *streams, bool for_good)
{
	bool born;

	if (!atomic_exchange_explicit(&ptl_attached.ready, true,
				      memory_order_relaxed)) {
		ptl_unwind_init();
		atomic_store_explicit(&ptl_attached.failed,
				      ptl_join_init(streams, &born),
				      memory_order_relaxed);
	}
	ptl_aside_begin(for_good);
}

void ptl_core_init_aside(const char *streams)
{
	if (!atomic_load_explicit(&ptl_attached.ready, memory_order_relaxed))
		init_aside(streams, false);
}

bool ptl_core_init_skipped(const char *streams)
{
	init_aside(streams, true);
	return ptl_aside_misses();
}

bool ptl_core_hands_down(void)
{
	return ptl_core_traced() || ptl_aside_misses();
}
