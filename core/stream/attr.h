/* SPDX-License-Identifier: MIT */
/*
 * The contents of a trace_attr_t: for posix_trace_attr_*(), and for the code
 * that creates streams from it and reports streams with it.
 */
#ifndef PTL_CORE_STREAM_ATTR_H
#define PTL_CORE_STREAM_ATTR_H

#include "core/format/layout.h"

#include <trace.h>

/*
 * System events are cut at max-data-size like the program's, and at this size
 * at the latest, so that posix_trace_attr_getmaxsystemeventsize() has an
 * answer.
 */
#define PTL_SYSEVENT_DATA_MAX PTL_RECORD_SIZE_MAX

/*
 * The attributes in `attr', or the defaults if it is a null pointer. 0 in
 * out->stream_policy means that none was set: LOOP without log, FLUSH with log.
 * Creation time is 0.  Returns 0 or EINVAL (not initialised, or destroyed).
 */
int ptl_attr_get(const trace_attr_t *attr, struct ptl_shm_attr *out);

/* Is the stream flushed into its log without being asked? */
PTL_INLINE bool ptl_attr_flushes(const struct ptl_shm_attr *attr)
{
	return attr->stream_policy == POSIX_TRACE_FLUSH ||
	       attr->stream_policy == POSIX_TRACE_BLOCK_NP;
}

/*
 * Makes an initialised object of `in', which may be foreign: its strings get
 * terminated.  The old contents of `attr' do not matter.
 */
void ptl_attr_put(trace_attr_t *attr, const struct ptl_shm_attr *in);

#endif
