/* SPDX-License-Identifier: MIT */
/* What a process has used when it ends. */
#ifndef PTL_CORE_SYS_USAGE_H
#define PTL_CORE_SYS_USAGE_H

#include "core/base.h"

#include <sys/resource.h>

/* What follows in the data of process:exit, as far as it is known. */
struct ptl_usage {
	int64_t user_us, sys_us;
	int64_t maxrss_kib;
	size_t known; /* bytes of these three that are: 0, 16 or 24 */
};

/* How a child has ended. */
struct ptl_end {
	int status; /* as from wait(2); -1: not known */
	struct ptl_usage usage;
};

#define PTL_END(status_) (&(const struct ptl_end){.status = (status_)})

/* The process, or its program, begins: what it has used by now is another's. */
void ptl_usage_begin(void);

/* The process is a fork child: for it the kernel counts from the beginning. */
void ptl_usage_forked(void);

/* The calling process, which ends.  One system call, or three more. */
struct ptl_usage ptl_usage_self(void);

/*
 * A child, as wait4(2) has told.  It includes what its own children have used
 * that it reaped, so of its memory nothing is known.
 */
struct ptl_usage ptl_usage_child(const struct rusage *usage);

#endif
