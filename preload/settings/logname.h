/* SPDX-License-Identifier: MIT */
/* The name of a log: by default NAME.PID.ptlog, or made as the user says. */
#ifndef PTL_PRELOAD_SETTINGS_LOGNAME_H
#define PTL_PRELOAD_SETTINGS_LOGNAME_H

#include "core/base.h"

#define PTL_LOGNAME_SIZE 256
#define PTL_LOGNAME_PATH_SIZE 4096
/* How many names to try if an earlier process with that number has a log. */
#define PTL_LOGNAME_TRIES 100

/*
 * The name of a process for its log: comm is the kernel's name of it, exe the
 * path of its program; either may be empty.
 */
void ptl_logname_program(char *name, size_t size, const char *comm,
			 const char *exe);

/* Is comm cut, so that the path may say more? */
bool ptl_logname_wants_exe(const char *comm);

/* Does each % of a path the user gave begin one of %h, %p, %r, %%? */
bool ptl_logname_is_pattern(const char *pattern);

/*
 * Of such a pattern the path: with the host's name for %h ("": not known), the
 * number of the process for %p, and for %r its rank among those that mpirun,
 * srun and the like have started, which is in its environment; other characters
 * of these than letters, digits, _ + - and . become _.  Returns NULL, or why
 * there is no such path.
 */
const char *ptl_logname_fill(char buf[PTL_LOGNAME_PATH_SIZE],
			     const char *pattern, const char *host, int pid,
			     char *const *envp);

/* The name of the log; after the first attempt with a number before the suffix.
 */
void ptl_logname_make(char buf[PTL_LOGNAME_SIZE], const char *name, int pid,
		      unsigned int attempt);

#endif
