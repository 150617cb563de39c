/* SPDX-License-Identifier: MIT */
/* Chooses the unwinder of call stacks: PTRACE_UNWINDER, which ptrace-run sets.
 */
#ifndef PTL_PRELOAD_LAUNCH_UNWINDER_H
#define PTL_PRELOAD_LAUNCH_UNWINDER_H

#include "core/base.h"

/*
 * Called once, by the constructor, when it is known whether a stream wants
 * stacks: nothing is loaded for a stream that starts later.
 */
void ptl_unwinder_init(int argc, char **argv, char **envp);

#endif
