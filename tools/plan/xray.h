/* SPDX-License-Identifier: MIT */
/*
 * Programs of clang -fxray-instrument: at entries and exits of their functions
 * is room, to which XRay's runtime writes when it is switched on, at the
 * beginning or later, and off again.  What we would write there would be lost,
 * or half of it, while threads run in it.
 */
#ifndef PTL_TOOLS_PLAN_XRAY_H
#define PTL_TOOLS_PLAN_XRAY_H

#include "tools/plan/plan.h"

/* Such functions are not patched, and nothing uses that room. */
void ptl_xray_refuse(struct ptl_plan *plan);

#endif
