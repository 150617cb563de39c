/* SPDX-License-Identifier: MIT */
/* The rank that a launcher of parallel programs gave a process. */
#ifndef PTL_PRELOAD_LAUNCH_RANK_H
#define PTL_PRELOAD_LAUNCH_RANK_H

#include "core/base.h"

/* For the constructor, after the process:start: records process:rank, if the
 * process has one.  Envp may be NULL. */
void ptl_rank_record(char *const *envp);

#endif
