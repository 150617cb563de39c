/* SPDX-License-Identifier: MIT */
/*
 * Processes and threads of other pid namespaces, as containers are: the numbers
 * that they have there, by which the library records.  What has ended before it
 * is looked at keeps the kernel's.
 */
#ifndef PTL_TOOLS_SAMPLER_NUMBERS_H
#define PTL_TOOLS_SAMPLER_NUMBERS_H

#include <stdint.h>
#include <sys/types.h>

struct ptl_numbers {
	pid_t pid, tid;
	uint32_t pidns; /* its inode; 0: the numbers are ours */
};

/* A thread is new, if it is not its process's first one. */
void ptl_numbers_learn(pid_t pid, pid_t tid);
void ptl_numbers_forget(pid_t tid);

struct ptl_numbers ptl_numbers_of(pid_t pid, pid_t tid);

#endif
