/* SPDX-License-Identifier: MIT */
/*
 * Hooks the slots of global offset tables through which objects call each
 * other's functions.
 */
#ifndef PTL_PRELOAD_HOOK_GOT_H
#define PTL_PRELOAD_HOOK_GOT_H

#include "core/base.h"

/* Are there PTRACE_CALLS or PTRACE_RETURNS, and is there a trace of calls? */
bool ptl_got_wanted(char *const *envp);

/* For the constructor, if so: hooks what they name.  Exe: the program's own
 * file. */
void ptl_got_init(char *const *envp, const char *exe);

/* Is anything hooked? */
bool ptl_got_works(void);

/*
 * Hooks what came since, and forgets what went.  Not in a handler nor in a
 * vfork child; takes the loader's lock.
 */
void ptl_got_look(void);

#endif
