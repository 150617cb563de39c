/* SPDX-License-Identifier: MIT */
/* The controller's helpers: programs beside it, which are told and tell by a
 * socket. */
#ifndef PTL_TOOLS_MONITOR_PROCESS_HELPER_H
#define PTL_TOOLS_MONITOR_PROCESS_HELPER_H

#include <stddef.h>

/*
 * Runs libexec/libptrace/NAME with these words behind its path; of our
 * descriptors it has these, which are not closed on exec.  It is init's child,
 * not ours, who may not wait for it before the guardian ends: otherwise what is
 * left of it would be there until then.  Returns 0 or the error number; if it
 * cannot be executed it has ended.
 */
int ptl_helper_start(const char *name, const char *const *words, const int *fds,
		     size_t nr_fds);

/* Such a socket: ours, and the helper's, which is closed by the caller.
 * Returns 0 or the error number. */
int ptl_helper_socket(int *ours, int *helpers);

#endif
