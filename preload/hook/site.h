/* SPDX-License-Identifier: MIT */
/*
 * Where functions return to whose returns are recorded: code of ours (stub.S),
 * one piece for each place in the program that calls such a function, which
 * goes on to that place and nowhere else.
 *
 * So there is no shadow stack that could be wrong: what is on the program's
 * stack says alone where to go, and it may be left by longjmp(), unwound by an
 * exception, copied by fork(), put away by a coroutine and taken up by another
 * thread.  An unwinder finds the way by what is said of that code in .eh_frame.
 */
#ifndef PTL_PRELOAD_HOOK_SITE_H
#define PTL_PRELOAD_HOOK_SITE_H

#include "core/base.h"

#include "preload/hook/stub.h"

struct ptl_site {
	uint64_t ret;	 /* never changes */
	uint64_t target; /* the function; changes when its slot is bound */
	uint32_t stub;
	uint32_t reserved[3];
};
static_assert(sizeof(struct ptl_site) == PTL_SITE_INFO, "stub.S");

extern struct ptl_site ptl_site[PTL_SITES]
	__attribute__((visibility("hidden")));
extern const unsigned char ptl_site_code[]
	__attribute__((visibility("hidden")));

/* Of an address in its code, or NULL. */
PTL_INLINE struct ptl_site *ptl_site_at(uint64_t code)
{
	uint64_t offset = code - (uintptr_t)ptl_site_code;

	return offset < PTL_SITES * PTL_SITE_SIZE ?
		       &ptl_site[offset / PTL_SITE_SIZE] :
		       NULL;
}

/* Where the program called from that returns to ret: a function that is reached
 * through a site, or by a jump from one that is, finds our code there. */
PTL_INLINE uint64_t ptl_site_plain(uint64_t ret)
{
	const struct ptl_site *site = ptl_site_at(ret);

	return PTL_UNLIKELY(site != NULL) ? site->ret : ret;
}

/* That of the calling function, which stands for one of libc's. */
#define PTL_SITE_CALLER \
	((const void *)ptl_site_plain((uintptr_t)__builtin_return_address(0)))

/*
 * The code to jump to instead of the target, which is a call of stub `stub'
 * that returns to ret.  0: all sites are taken; counted.
 */
uint64_t ptl_site_enter(uint64_t ret, uint32_t stub, uint64_t target);

/* Calls whose return could not be recorded for that reason. */
extern _Atomic uint32_t ptl_sites_missed;

#endif
