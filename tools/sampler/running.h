/* SPDX-License-Identifier: MIT */
/* A process that is not sampled from its exec on: what it has mapped before, of
 * which the kernel's events do not tell. */
#ifndef PTL_TOOLS_SAMPLER_RUNNING_H
#define PTL_TOOLS_SAMPLER_RUNNING_H

#include <sys/types.h>

/* Learns its name, its code that is mapped now, and its threads. */
void ptl_running_take(pid_t pid);

#endif
