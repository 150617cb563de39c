/* SPDX-License-Identifier: MIT */
/* Which unwinder finds call stacks: PTRACE_UNWINDER, as ptrace-run sets it. */
#ifndef PTL_PRELOAD_LAUNCH_UNWINDER_H
#define PTL_PRELOAD_LAUNCH_UNWINDER_H

#include "core/base.h"

/*
 * Once, by the constructor, when it is known whether some stream wants stacks:
 * for one that comes later nothing is loaded any more.
 */
void ptl_unwinder_init(int argc, char **argv, char **envp);

#endif
