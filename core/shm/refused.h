/* SPDX-License-Identifier: MIT */
/* What to tell of places that cannot be the run directory. */
#ifndef PTL_CORE_SHM_REFUSED_H
#define PTL_CORE_SHM_REFUSED_H

#include "core/base.h"

/*
 * Writes those of `nr' places (place.h), from `first' on, that cannot be used:
 * "/dev/shm/ptrace-0 (user 1000's), /dev/shm/ptrace-0.1 to .7 (no permission)";
 * "" if all can.  What has no room is cut.  By system calls only.
 */
void ptl_refused_places(uint32_t uid, unsigned int first, unsigned int nr,
			char *text, size_t size);

#endif
