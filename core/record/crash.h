/* SPDX-License-Identifier: MIT */
/* The events of a crash and of a sample, whose stack is that of what a signal
 * interrupted. */
#ifndef PTL_CORE_RECORD_CRASH_H
#define PTL_CORE_RECORD_CRASH_H

#include "core/base.h"

/* As ptl_core_crash() says (core/core.h). */
void ptl_crash_emit(const void *data, size_t size, const uint64_t *reg,
		    const void *addr);

/* As ptl_core_sample() says. */
void ptl_sample_emit(int64_t weight, bool was_in_kernel, const uint64_t *reg,
		     const void *addr);

#endif
