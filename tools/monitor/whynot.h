/* SPDX-License-Identifier: MIT */
/* Why a process cannot join its trace, as far as /proc shows it. */
#ifndef PTL_TOOLS_MONITOR_WHYNOT_H
#define PTL_TOOLS_MONITOR_WHYNOT_H

#include <sys/types.h>

/* A sentence about `it', without a full stop; valid until the next call. */
const char *ptl_whynot_joined(pid_t pid);

/* The same, if there was no permission to create the stream. */
const char *ptl_whynot_permitted(pid_t pid);

#endif
