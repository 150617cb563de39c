/* SPDX-License-Identifier: MIT */
/* What the processes of a stream are to know of functions:
 * posix_trace_set_prototypes_np, posix_trace_set_functions_np. */
#include "core/control/beside.h"
#include "core/shm/rundir.h"
#include "core/stream/stream.h"
#include "core/sys/syscall.h"

#include <errno.h>
#include <trace.h>

static int give(trace_id_t trid, enum ptl_shm_beside what, const void *bytes,
		size_t size)
{
	struct ptl_stream *stream;
	int dir, err;

	if (!bytes || size == 0)
		return EINVAL;
	stream = ptl_stream_get(trid, PTL_STREAM_ACTIVE);
	if (!stream)
		return EINVAL;
	dir = ptl_rundir_reopen(stream->map->uid);
	err = dir < 0 ? -dir :
			ptl_beside_create(dir, stream->map, what, bytes, size);
	if (dir >= 0)
		ptl_sys_close(dir);
	ptl_stream_put(stream);
	return err == ENOSPC ? ENOMEM : err;
}

PTL_EXPORT int posix_trace_set_prototypes_np(trace_id_t trid,
					     const char *prototypes,
					     size_t size)
{
	return give(trid, PTL_SHM_PROTOTYPES, prototypes, size);
}

PTL_EXPORT int posix_trace_set_functions_np(trace_id_t trid,
					    const void *functions, size_t size)
{
	return give(trid, PTL_SHM_PATCHES, functions, size);
}
