/* SPDX-License-Identifier: MIT */
/* How much memory there may be in use by what runs where we do. */
#ifndef PTL_CORE_SYS_MEMORY_H
#define PTL_CORE_SYS_MEMORY_H

#include "core/base.h"

/* Of this machine, or less if a control group of ours (a container's) may have
 * less, in bytes; UINT64_MAX: not known. */
uint64_t ptl_memory_limit(void);

/*
 * The least limit of the control groups that are named in `groups', as
 * /proc/self/cgroup has them, and of those above them; UINT64_MAX: there is
 * none, or none is known.  `root': where their files are, /sys/fs/cgroup.
 */
uint64_t ptl_memory_of_groups(const char *groups, const char *root);

/* That can still be taken of the file system of an open file. */
uint64_t ptl_memory_free_at(int fd);

#endif
