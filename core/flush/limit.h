/* SPDX-License-Identifier: MIT */
/* How much of a pass a log of bounded size has room for. */
#ifndef PTL_CORE_FIT_H
#define PTL_CORE_FIT_H

#include "core/flush/copy.h"

/* Bounds the pass to what the log has room for; true if then it is full. */
bool ptl_fit_pass(struct ptl_pass *pass);

#endif
