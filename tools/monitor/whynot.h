/* SPDX-License-Identifier: MIT */
/* Why a process does not come into its trace, as far as /proc tells. */
#ifndef PTL_TOOLS_MONITOR_WHYNOT_H
#define PTL_TOOLS_MONITOR_WHYNOT_H

#include <sys/types.h>

/* A sentence about `it', without a full stop; good until the next call. */
const char *ptl_whynot_joined(pid_t pid);

/* The same, where the stream could not be created for want of a permission. */
const char *ptl_whynot_permitted(pid_t pid);

#endif
