/* SPDX-License-Identifier: MIT */
/* System calls of the program's own, past libc and us. */
#ifndef PTL_PRELOAD_LIBC_OWNCALLS_H
#define PTL_PRELOAD_LIBC_OWNCALLS_H

#include "core/base.h"

/*
 * Can the text of the program itself, not of libraries, install a seccomp
 * filter by a system call instruction of its own?  It is looked for in small
 * programs only: large ones would take too long.
 */
bool ptl_owncalls_any(void);

/* Has it any such instruction at all, which may be none?  Of a large one it is
 * not known: no. */
bool ptl_owncalls_maybe(void);

/* Is the program Go's? */
bool ptl_owncalls_is_go(void);

#endif
