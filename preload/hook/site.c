/* SPDX-License-Identifier: MIT */
/*
 * Sites are found by a hash table that only grows, by compare-and-swap: if two
 * threads, or a handler and the thread it interrupted, add a site for the same
 * call at once, the worst result is a second site.
 */
#include "preload/hook/site.h"

struct ptl_return_site ptl_site[PTL_SITES] PTL_BULK
	__attribute__((aligned(PTL_SITE_INFO)));
_Atomic uint32_t ptl_sites_missed;

_Atomic uint32_t ptl_site_table[PTL_SITE_HASH] PTL_BULK;
static _Atomic uint32_t nr_sites;

static struct ptl_return_site *make(uint64_t ret, uint32_t stub,
				    uint64_t target)
{
	uint32_t i = PTL_SITES;

	if (atomic_load_explicit(&nr_sites, memory_order_relaxed) < PTL_SITES)
		i = atomic_fetch_add_explicit(&nr_sites, 1,
					      memory_order_relaxed);
	if (i >= PTL_SITES) {
		atomic_fetch_add_explicit(&ptl_sites_missed, 1,
					  memory_order_relaxed);
		return NULL;
	}
	ptl_site[i] = (struct ptl_return_site){ret, target, stub, {0}};
	return &ptl_site[i];
}

static struct ptl_return_site *find(uint64_t ret, uint32_t stub,
				    uint64_t target)
{
	struct ptl_return_site *mine = NULL, *site;

	for (uint32_t at = ptl_site_hash(ret, stub);; at++) {
		_Atomic uint32_t *entry = &ptl_site_table[at % PTL_SITE_HASH];
		/* Pairs with itself, below. */
		uint32_t nr = atomic_load_explicit(entry, memory_order_acquire);

		if (nr == 0) {
			if (!mine)
				mine = make(ret, stub, target);
			if (!mine)
				return NULL;
			/* Pairs with the load above. */
			if (atomic_compare_exchange_strong_explicit(
				    entry, &nr, (uint32_t)(mine - ptl_site) + 1,
				    memory_order_acq_rel, memory_order_acquire))
				return mine;
		}
		site = &ptl_site[nr - 1];
		if (site->ret == ret && site->stub == stub)
			return site;
	}
}

uint64_t ptl_site_enter(uint64_t ret, uint32_t stub, uint64_t target)
{
	struct ptl_return_site *site = find(ret, stub, target);

	if (!site)
		return 0;
	if (PTL_UNLIKELY(__atomic_load_n(&site->target, __ATOMIC_RELAXED) !=
			 target))
		__atomic_store_n(&site->target, target, __ATOMIC_RELAXED);
	return (uintptr_t)ptl_site_code +
	       (uint64_t)(site - ptl_site) * PTL_SITE_SIZE;
}
