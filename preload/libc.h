/* SPDX-License-Identifier: MIT */
/*
 * The real functions behind our wrappers: libc()->fork().  preload/ calls an
 * intercepted function in no other way.
 */
#ifndef PTL_PRELOAD_LIBC_H
#define PTL_PRELOAD_LIBC_H

#ifdef _FILE_OFFSET_BITS
#error "_FILE_OFFSET_BITS would silently rename our open() to open64()"
#endif

#include "core/base.h"

#include <dlfcn.h>
#include <sched.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

/* What is deprecated is used nevertheless. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
struct ptl_libc {
#define CALL(name, family) __typeof__(&name) name;
#include "preload/calls.def"
#undef CALL
};
#pragma GCC diagnostic pop

extern struct ptl_libc ptl_libc_table;
extern _Atomic bool ptl_libc_ready;

/*
 * Fills the table, all of it at once: a look-up later, inside an intercepted
 * call, could deadlock (an allocator's, a loader's lock) or allocate in a
 * vfork child.  errno is preserved.  Idempotent, also when two come at once.
 */
void ptl_libc_resolve(void);

/* The constructor filled the table; only code that runs before it (another
 * object with initfirst, an IFUNC resolver) takes the branch. */
PTL_INLINE const struct ptl_libc *libc(void)
{
	/* Pairs with ptl_libc_resolve(). */
	if (PTL_UNLIKELY(!atomic_load_explicit(&ptl_libc_ready,
					       memory_order_acquire)))
		ptl_libc_resolve();
	return &ptl_libc_table;
}

#endif
