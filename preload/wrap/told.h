/* SPDX-License-Identifier: MIT */
/* What wrappers say when they have called libc, also for calls by number. */
#ifndef PTL_PRELOAD_WRAP_TOLD_H
#define PTL_PRELOAD_WRAP_TOLD_H

#include "core/base.h"

#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>

struct rusage;

/* sigaction.c: of set only what could be read; NULL: there is none. */
void ptl_told_action(int signo, int ret, const struct sigaction *set,
		     const struct sigaction *old, uint64_t since,
		     const void *caller);

/* wait.c: a child was waited for; and that it has ended, if it has.  Status:
 * NULL if none was told of. */
void ptl_told_reaped(pid_t pid, const int *status, const struct rusage *usage);
void ptl_told_waited(int64_t which, int options, pid_t ret, const int *status,
		     uint64_t since, const void *addr);
void ptl_told_waitid(idtype_t type, id_t id, const siginfo_t *info, int options,
		     int ret, uint64_t since, const void *addr);

#endif
