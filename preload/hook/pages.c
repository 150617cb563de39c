/* SPDX-License-Identifier: MIT */
/* Pages that we may read; see pages.h. */
#include "preload/hook/pages.h"

#include "core/sys/syscall.h"

#include "preload/libc/scratch.h"

#define EPOCH_MASK ((UINT64_C(1) << PTL_PAGES_EPOCH_BITS) - 1)

_Atomic uint64_t ptl_pages_known[PTL_PAGES] PTL_BULK;
_Atomic uint64_t ptl_pages_epoch;
uintptr_t ptl_pages_constants;
size_t ptl_pages_constants_size;

void ptl_pages_changed(void)
{
	/* Who reads what another thread unmaps is lost in any case. */
	uint64_t epoch = 1 + atomic_fetch_add_explicit(&ptl_pages_epoch, 1,
						       memory_order_relaxed);

	/* The epoch comes round again: no entry is good. */
	for (size_t i = 0; (epoch & EPOCH_MASK) == 0 && i < PTL_PAGES; i++)
		atomic_store_explicit(&ptl_pages_known[i], 0,
				      memory_order_relaxed);
}

bool ptl_pages_ask(uintptr_t at)
{
	return at >> PTL_PAGES_SHIFT && !ptl_is_quiet() && ptl_sys_may_read(at);
}

bool ptl_pages_learn(uintptr_t at)
{
	/* Before the question: mappings may change meanwhile. */
	uint64_t entry = ptl_pages_entry(at);

	if (!ptl_pages_ask(at))
		return false;
	atomic_store_explicit(
		&ptl_pages_known[(at >> PTL_PAGES_SHIFT) % PTL_PAGES], entry,
		memory_order_relaxed);
	return true;
}
