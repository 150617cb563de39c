/* SPDX-License-Identifier: MIT */
/* The event of a crash, whose stack is that of what a signal interrupted. */
#ifndef PTL_CORE_RECORD_CRASH_H
#define PTL_CORE_RECORD_CRASH_H

#include "core/base.h"

/* As ptl_core_crash() says (core/core.h). */
void ptl_crash_emit(const void *data, size_t size, const uint64_t *reg,
		    const void *addr);

#endif
