/* SPDX-License-Identifier: MIT */
/*
 * The system call that a thread is in.  It is seen without stopping the thread:
 * some calls do not go on after a stop as if it had not been.
 */
#ifndef PTL_TOOLS_INJECT_INCALL_H
#define PTL_TOOLS_INJECT_INCALL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct ptl_incall {
	long number;
	uint64_t argument[6];
};

/* False: it is in none, or that is not known. */
bool ptl_incall_read(struct ptl_incall *call, pid_t pid, pid_t tid);

/* Does it wait in it for something outside, with no lock of libc's held, and
 * can it do so anew as if it had just begun? */
bool ptl_incall_waits(const struct ptl_incall *call);

/* As that, or one that was stopped before and went on: which one is not known
 * yet. */
bool ptl_incall_may_wait(const struct ptl_incall *call);

/* Does a stop change what it does: is only a part written or read then? */
bool ptl_incall_breaks(const struct ptl_incall *call);

/* Can it, if a stop has ended it with EINTR, be begun again? */
bool ptl_incall_begins_again(const struct ptl_incall *call);

/* Does it wait for a child that has its process' memory? */
bool ptl_incall_vforks(const struct ptl_incall *call, pid_t pid);

#endif
