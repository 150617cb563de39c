/* SPDX-License-Identifier: MIT */
/* Whose returns may be recorded. */
#ifndef PTL_PRELOAD_HOOK_RETURNS_H
#define PTL_PRELOAD_HOOK_RETURNS_H

#include "core/base.h"

/* Any at all?  Not where the processor checks return addresses. */
bool ptl_returns_work(void);

/* Those of a function of that name? */
bool ptl_returns_allowed(const char *name);

#endif
