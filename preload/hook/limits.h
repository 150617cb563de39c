/* SPDX-License-Identifier: MIT */
/* Which calls of functions are not to be recorded (--min-duration, --depth). */
#ifndef PTL_PRELOAD_HOOK_LIMITS_H
#define PTL_PRELOAD_HOOK_LIMITS_H

#include "core/core.h"

/* Set by the constructor, and when another trace hooks the process. */
extern struct ptl_core_limits ptl_limits __attribute__((visibility("hidden")));

#endif
