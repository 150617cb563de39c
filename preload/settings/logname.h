/* SPDX-License-Identifier: MIT */
/* The default name of a log: NAME.PID.ptlog. */
#ifndef PTL_PRELOAD_SETTINGS_LOGNAME_H
#define PTL_PRELOAD_SETTINGS_LOGNAME_H

#include "core/base.h"

#define PTL_LOGNAME_SIZE 256
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

/* The name of the log; after the first attempt with a number before the suffix.
 */
void ptl_logname_make(char buf[PTL_LOGNAME_SIZE], const char *name, int pid,
		      unsigned int attempt);

#endif
