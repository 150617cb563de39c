/* SPDX-License-Identifier: MIT */
/* What can be known of a running process that is to be traced. */
#ifndef PTL_TOOLS_MONITOR_ATTACH_H
#define PTL_TOOLS_MONITOR_ATTACH_H

#include <stddef.h>
#include <sys/types.h>

/* The name of its program, for the name of its log. */
void ptl_attach_name(pid_t pid, char *name, size_t size);

#endif
