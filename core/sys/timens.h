/* SPDX-License-Identifier: MIT */
/*
 * Time namespaces (unshare --time): CLOCK_BOOTTIME has an offset there, and
 * /proc tells when processes began by the clock of who asks.  What processes
 * tell each other is by the clock of the first namespace.
 */
#ifndef PTL_CORE_SYS_TIMENS_H
#define PTL_CORE_SYS_TIMENS_H

#include "core/base.h"

/* How far CLOCK_BOOTTIME is ahead here, in nanoseconds, and may be behind; 0
 * where that is not known.  Asked once in an image. */
int64_t ptl_timens_ahead(void);

/* Is that process in another time namespace?  False where that is not known. */
bool ptl_timens_is_apart(uint32_t pid);

/* CLOCK_BOOTTIME of the first time namespace in nanoseconds, through the vDSO
 * where it can; and by a system call, as ptl_clock_ask(). */
uint64_t ptl_boottime(void);
uint64_t ptl_boottime_ask(void);

#endif
