/* SPDX-License-Identifier: MIT */
/* TRACEPARENT, handed on through programs: --traceparent. */
#ifndef PTL_PRELOAD_LAUNCH_TRACEPARENT_H
#define PTL_PRELOAD_LAUNCH_TRACEPARENT_H

#include "core/base.h"

/* For the constructor, after the process:start, and before anything looks at
 * the variable: makes the program a span, if that is asked for.  Envp may be
 * NULL. */
void ptl_traceparent_begin(char *const *envp);

#endif
