/* SPDX-License-Identifier: MIT */
/*
 * Hooks the slots of global offset tables through which objects call each
 * other's functions.
 */
#ifndef PTL_PRELOAD_HOOK_GOT_H
#define PTL_PRELOAD_HOOK_GOT_H

#include "core/base.h"

/* Is PTRACE_CALLS or PTRACE_RETURNS set, and does a trace record calls? */
bool ptl_got_wanted(char *const *envp);

/* Hooks the functions that these name; called by the constructor. exe: the
 * program's own file. */
void ptl_got_init(char *const *envp, const char *exe);

/* Tells of it again, if these name what is hooked; false: of another choice,
 * nothing is done. */
bool ptl_got_tell(char *const *envp);

/* Is anything hooked? */
bool ptl_got_works(void);

/*
 * Hooks objects that were loaded since, and forgets those that were unloaded.
 * Not for signal handlers or vfork children; takes the loader's lock.
 */
void ptl_got_look(void);

#endif
