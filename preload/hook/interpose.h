/* SPDX-License-Identifier: MIT */
/*
 * For a library that was not there when the program was started: slots of
 * global offset tables that lead to a function of libc's for which there is a
 * wrapper are pointed to the wrapper.  See posix_trace_interpose_np(3).
 */
#ifndef PTL_PRELOAD_HOOK_INTERPOSE_H
#define PTL_PRELOAD_HOOK_INTERPOSE_H

#include "core/base.h"

/* Has it been asked for? */
bool ptl_interpose_works(void);

/* Does it for objects that were loaded since; as ptl_got_look(). */
void ptl_interpose_look(void);

#endif
