/* SPDX-License-Identifier: MIT */
/* The address range of this library. */
#ifndef PTL_PRELOAD_LIBC_OWN_H
#define PTL_PRELOAD_LIBC_OWN_H

#include "core/base.h"

extern const char ptl_own_begin[] __asm__("__ehdr_start")
	__attribute__((visibility("hidden")));
extern const char *ptl_own_end;

/* Called once, by the constructor. */
void ptl_own_init(void);

PTL_INLINE bool ptl_own_has(const void *addr)
{
	return (const char *)addr >= ptl_own_begin &&
	       (const char *)addr < ptl_own_end;
}

#endif
