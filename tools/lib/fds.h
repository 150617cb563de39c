/* SPDX-License-Identifier: MIT */
/*
 * File descriptors: our processes are guests among the user's, where others may
 * wait for the end of any file that we hold open.
 */
#ifndef PTL_TOOLS_LIB_FDS_H
#define PTL_TOOLS_LIB_FDS_H

#include <poll.h>
#include <stddef.h>

/* The most that ptl_fds_poll() takes. */
#define PTL_FDS_POLLED 128

/* Moves a descriptor above the standard ones; closed on exec.  -1: errno. */
int ptl_fds_lift(int fd);

/*
 * Closes all descriptors except these few; -1 among them is ignored.  Standard
 * ones that are not kept become /dev/null.
 */
void ptl_fds_keep(const int *keep, size_t nr);

/*
 * poll(2) of those that are not -1.  It counts also these, and refuses more
 * than may be open (RLIMIT_NOFILE).
 */
int ptl_fds_poll(struct pollfd *fds, size_t nr, int timeout);

#endif
