/* SPDX-License-Identifier: MIT */
/* Extensions for a controller that may be killed. */
#include "core/control/successor.h"
#include "core/core.h"

#include <errno.h>
#include <trace.h>

PTL_EXPORT int posix_trace_guard_np(int file_desc)
{
	return ptl_successor_guard(file_desc);
}

PTL_EXPORT int posix_trace_takeover_np(int file_desc, trace_id_t *trid)
{
	if (!trid)
		return EINVAL;
	ptl_core_init(NULL);
	return ptl_successor_take(file_desc, trid);
}
