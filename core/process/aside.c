/* SPDX-License-Identifier: MIT */
/* See aside.h. */
#include "core/process/aside.h"

#include "core/record/attached.h"
#include "core/record/program.h"
#include "core/shm/map.h"
#include "core/shm/registry.h"

static bool is_aside, is_for_good;

void ptl_aside_begin(bool for_good)
{
	struct ptl_shm_entry *entry = ptl_attached_entry();
	uint64_t left = ptl_attached_active();

	/* All that it records. */
	ptl_program_tell_all(left);
	atomic_fetch_and_explicit(&entry->active, ~left, memory_order_relaxed);
	for (; left; left &= left - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(left);
		struct ptl_map *map = atomic_exchange_explicit(
			&ptl_attached.map[i], NULL, memory_order_relaxed);

		if (map)
			ptl_map_detach(map);
	}
	is_aside = true;
	is_for_good = for_good;
}

void ptl_aside_again(void)
{
	if (is_aside)
		atomic_store_explicit(&ptl_attached_entry()->active, 0,
				      memory_order_relaxed);
}

void ptl_aside_end(bool also_for_good)
{
	if (is_for_good && !also_for_good)
		return;
	if (__atomic_exchange_n(&is_aside, false, __ATOMIC_RELAXED))
		ptl_registry_wake(ptl_attached_entry());
}

bool ptl_aside_is_on(void)
{
	return is_aside;
}

bool ptl_aside_misses(void)
{
	const struct ptl_shm_entry *entry = ptl_attached_entry();
	uint64_t active = ptl_attached_active();

	for (unsigned int i = 0; is_aside && i < PTL_MAX_STREAMS; i++)
		if (atomic_load_explicit(&entry->refs[i],
					 memory_order_relaxed) &&
		    !(active >> i & 1))
			return true;
	return false;
}
