/* SPDX-License-Identifier: MIT */
/* What the dead left in the run directory. */
#ifndef PTL_CORE_CONTROL_COLLECT_H
#define PTL_CORE_CONTROL_COLLECT_H

#include "core/base.h"

/*
 * Recovers the streams of dead controllers, and removes what is not needed any
 * more.  Returns how many live streams there are in the directory.  Of another
 * user's it only counts them.  For controllers and analyzers only.
 */
unsigned int ptl_collect(uint32_t uid);

#endif
