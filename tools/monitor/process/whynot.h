/* SPDX-License-Identifier: MIT */
/* Why a process cannot join its trace, as far as /proc shows it. */
#ifndef PTL_TOOLS_MONITOR_PROCESS_WHYNOT_H
#define PTL_TOOLS_MONITOR_PROCESS_WHYNOT_H

#include <stdbool.h>
#include <sys/types.h>

/* Is it known to be in another namespace of that kind ("mnt")? */
bool ptl_whynot_is_apart(pid_t pid, const char *kind);

/* Has it the registry of a run directory?  On which device, and is its user's
 * number there the one that it has here? */
bool ptl_whynot_registry(pid_t pid, dev_t *dev, bool *is_ours);

/* What /proc/PID/stat says of it. */
struct ptl_whynot_stat {
	char state;
	unsigned long flags; /* PF_* of the kernel's <linux/sched.h> */
	unsigned long ticks; /* of processor time that it has used */
};

/* False: there is no such process, or it is not known. */
bool ptl_whynot_stat(pid_t pid, struct ptl_whynot_stat *stat);

/* Has it the library, from whichever file? */
bool ptl_whynot_has_library(pid_t pid);

/* Has it the library, and not (yet) a registry? */
bool ptl_whynot_is_unjoined(pid_t pid);

/* If it is no process, or none any more, a sentence that says so; NULL. */
const char *ptl_whynot_none(pid_t pid);

/* If it is a thread of the kernel's, a sentence that says so. */
const char *ptl_whynot_kernels(pid_t pid);

/* A sentence about `it', without a full stop; valid until the next call. */
const char *ptl_whynot_joined(pid_t pid);

/* Why, if there was no permission to create the stream. */
const char *ptl_whynot_permitted(pid_t pid);

/* Why, if there was no memory for the stream. */
const char *ptl_whynot_no_memory(void);

/* Why, if the kernel refused samples, or their memory, with that error; and
 * what can be done; they were asked for in the kernel, too.  A sentence, too.
 */
const char *ptl_whynot_sampled(pid_t pid, int error, bool of_memory,
			       bool in_kernel);

/* Why, if the process's /dev/shm could not be reached for that error. */
const char *ptl_whynot_entered(pid_t pid, int error);

#endif
