/* SPDX-License-Identifier: MIT */
/*
 * Where functions return whose returns are recorded: code of ours (stub.S), one
 * piece for each place in the program that calls such a function.  Each goes on
 * to that place and nowhere else.
 *
 * So there is no separate stack of return addresses that could be wrong: the
 * program's stack alone says where to go.  It may be left by longjmp(), unwound
 * by an exception, copied by fork(), set aside by a coroutine and continued by
 * another thread.  Unwinders find their way by the rules of that code in
 * .eh_frame.
 */
#ifndef PTL_PRELOAD_HOOK_SITE_H
#define PTL_PRELOAD_HOOK_SITE_H

#include "core/base.h"

#include "preload/hook/stub.h"

struct ptl_return_site {
	uint64_t ret;	 /* never changes */
	uint64_t target; /* the function; changes when its slot is bound */
	uint32_t stub;
	uint32_t reserved[3];
};
static_assert(sizeof(struct ptl_return_site) == PTL_SITE_INFO, "stub.S");

extern struct ptl_return_site ptl_site[PTL_SITES]
	__attribute__((visibility("hidden")));
extern const unsigned char ptl_site_code[]
	__attribute__((visibility("hidden")));

/* The site of an address in its code, or NULL. */
PTL_INLINE struct ptl_return_site *ptl_site_at(uint64_t code)
{
	uint64_t offset = code - (uintptr_t)ptl_site_code;

	return offset < PTL_SITES * PTL_SITE_SIZE ?
		       &ptl_site[offset / PTL_SITE_SIZE] :
		       NULL;
}

/* The place in the program to which a return to ret leads: a function that is
 * called through a site, or jumped to by such a function, has the site's code
 * as its return address. */
PTL_INLINE uint64_t ptl_site_plain(uint64_t ret)
{
	const struct ptl_return_site *site = ptl_site_at(ret);

	return PTL_UNLIKELY(site != NULL) ? site->ret : ret;
}

/* The return address of the calling function, which is a wrapper. */
#define PTL_SITE_CALLER \
	((const void *)ptl_site_plain((uintptr_t)__builtin_return_address(0)))

/* By a hash of both: the number of a site + 1, or 0. */
#define PTL_SITE_HASH (2 * PTL_SITES)
extern _Atomic uint32_t ptl_site_table[PTL_SITE_HASH]
	__attribute__((visibility("hidden")));

PTL_INLINE uint32_t ptl_site_hash(uint64_t ret, uint32_t stub)
{
	uint64_t hash = (ret ^ (uint64_t)stub << 40) * 0x9e3779b97f4a7c15u;

	return (uint32_t)(hash >> 40);
}

/* ptl_site_enter() where it is found at once; 0: it is not. */
PTL_INLINE uint64_t ptl_site_known(uint64_t ret, uint32_t stub, uint64_t target)
{
	/* Pairs with find() in site.c. */
	uint32_t nr = atomic_load_explicit(
		&ptl_site_table[ptl_site_hash(ret, stub) % PTL_SITE_HASH],
		memory_order_acquire);
	const struct ptl_return_site *site = &ptl_site[nr - 1];

	if (PTL_UNLIKELY(nr == 0 || site->ret != ret || site->stub != stub ||
			 __atomic_load_n(&site->target, __ATOMIC_RELAXED) !=
				 target))
		return 0;
	return (uintptr_t)ptl_site_code + (uint64_t)(nr - 1) * PTL_SITE_SIZE;
}

/*
 * The code to jump to instead of `target', which stub `stub' calls and which
 * returns to ret. 0: all sites are in use; that is counted.
 */
uint64_t ptl_site_enter(uint64_t ret, uint32_t stub, uint64_t target);

/* The calls whose return could not be recorded for that reason. */
extern _Atomic uint32_t ptl_sites_missed;

#endif
