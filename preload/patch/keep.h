/* SPDX-License-Identifier: MIT */
/* Files whose symbols the log is to keep (ptrace-run --symbols): they are
 * handed to the controller of a stream, as soon as they are mapped. */
#ifndef PTL_PRELOAD_PATCH_KEEP_H
#define PTL_PRELOAD_PATCH_KEEP_H

#include "core/base.h"

void ptl_keep_init(char *const *envp);

#endif
