/* SPDX-License-Identifier: MIT */
/* The default name of a log: NAME.PID.ptlog. */
#ifndef PTL_PRELOAD_SETTINGS_LOGNAME_H
#define PTL_PRELOAD_SETTINGS_LOGNAME_H

#include "core/base.h"

#define PTL_LOGNAME_SIZE 256
/* How many names to try when a process of that number had one before. */
#define PTL_LOGNAME_TRIES 100

/*
 * A process' name, for its log: comm is what the kernel calls it, exe the path
 * of its program; either may be empty.
 */
void ptl_logname_program(char *name, size_t size, const char *comm,
			 const char *exe);

/* Does the path say more than comm, which has been cut? */
bool ptl_logname_wants_exe(const char *comm);

/* The name of the log; with a number before its end after the first try. */
void ptl_logname_make(char buf[PTL_LOGNAME_SIZE], const char *name, int pid,
		      unsigned int attempt);

#endif
