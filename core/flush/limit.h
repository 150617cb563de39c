/* SPDX-License-Identifier: MIT */
/* How much of a pass a log of bounded size has room for. */
#ifndef PTL_CORE_FLUSH_LIMIT_H
#define PTL_CORE_FLUSH_LIMIT_H

#include "core/flush/copy.h"

/* Bounds the pass to what the log has room for; true if then it is full. */
bool ptl_limit_pass(struct ptl_copy *pass);

#endif
