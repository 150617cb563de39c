/* SPDX-License-Identifier: MIT */
/* Which functions may have their returns recorded. */
#ifndef PTL_PRELOAD_HOOK_RETURNS_H
#define PTL_PRELOAD_HOOK_RETURNS_H

#include "core/base.h"

/* Can returns be recorded at all?  Not where the processor checks return
 * addresses. */
bool ptl_returns_work(void);

/* Can those of a function of that name? */
bool ptl_returns_allowed(const char *name);

#endif
