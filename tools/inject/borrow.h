/* SPDX-License-Identifier: MIT */
/* Which thread of a process may be borrowed. */
#ifndef PTL_TOOLS_INJECT_BORROW_H
#define PTL_TOOLS_INJECT_BORROW_H

#include "tools/inject/thread.h"

/* Any that may be now, which is held then (thread.h); NULL, or why none. */
const char *ptl_borrow(struct ptl_inject_thread *thread,
		       const struct ptl_inject_target *target);

/* Does a thread wait for a child that has its memory?  Then that is why not. */
bool ptl_borrow_vforks(pid_t pid);
extern const char ptl_borrow_vforking[];

#endif
