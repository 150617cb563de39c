/* SPDX-License-Identifier: MIT */
/* Resource limits under which a program that loads us does not start, or that
 * we cannot begin under. */
#ifndef PTL_PRELOAD_LAUNCH_LIMITS_H
#define PTL_PRELOAD_LAUNCH_LIMITS_H

#include "core/base.h"

/* Of a program that this process executes now; NULL: there is none. *complains:
 * it, or its loader, would suffer by us. */
const char *ptl_limits_forbid(bool *complains);

#endif
