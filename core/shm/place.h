/* SPDX-License-Identifier: MIT */
/*
 * The places in which the run directory of a user may be.  Anybody can take a
 * name in /dev/shm, so there are several; the last is where nobody else can,
 * but it is not there everywhere.
 */
#ifndef PTL_CORE_SHM_PLACE_H
#define PTL_CORE_SHM_PLACE_H

#include "core/base.h"

/* /dev/shm/ptrace-UID, then .1 to .7; /run/user/UID/ptrace, of root
 * /run/ptrace. */
#define PTL_PLACES 9
#define PTL_PLACE_LAST (PTL_PLACES - 1)

/* Big enough for each of them. */
#define PTL_PLACE_PATH 48

void ptl_place_path(char *path, uint32_t uid, unsigned int place);

/* The directory that a path is in. */
void ptl_place_parent(char *parent, const char *path);

/*
 * Opens a directory if it is what a run directory must be: no link, owned by
 * uid, mode 0700.  Returns a descriptor for the caller to close, -ENOENT,
 * -EPERM (something else is there), or -errno: it is not known.
 */
int ptl_place_open(const char *path, uint32_t uid);

/* Is it on what can only be read? */
bool ptl_place_is_readonly(int dir);

#endif
