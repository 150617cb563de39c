/* SPDX-License-Identifier: MIT */
/*
 * Filters where events are recorded (ptrace-run --failed, --slower, --fd,
 * --path): a call of libc that a stream does not want is counted, and not
 * recorded.  Asked when the call has returned, so that its result and how long
 * it took are known.  Only calls are asked, those of the ids from 59 to 239 and
 * of dlopen() and dlclose(): everything else is of use to understand them, or
 * is recorded since the user named it.
 */
#ifndef PTL_CORE_RECORD_SELECT_H
#define PTL_CORE_RECORD_SELECT_H

#include "core/record/attached.h"

/* Of the streams of `active' those that record this call. */
PTL_COLD uint64_t ptl_select(uint64_t active, uint32_t id, const void *data,
			     size_t size);

#endif
