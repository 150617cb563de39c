/* SPDX-License-Identifier: MIT */
/* posix_trace_set_prototypes_np: what hooks know of the functions they see. */
#include "core/control/prototypes.h"
#include "core/shm/rundir.h"
#include "core/stream/stream.h"
#include "core/sys/syscall.h"

#include <errno.h>
#include <trace.h>

PTL_EXPORT int posix_trace_set_prototypes_np(trace_id_t trid,
					     const char *prototypes,
					     size_t size)
{
	struct ptl_stream *stream;
	int dir, err;

	if (!prototypes || size == 0)
		return EINVAL;
	stream = ptl_stream_get(trid, PTL_STREAM_ACTIVE);
	if (!stream)
		return EINVAL;
	dir = ptl_rundir_reopen(stream->map->uid);
	err = dir < 0 ?
		      -dir :
		      ptl_prototypes_create(dir, stream->map, prototypes, size);
	if (dir >= 0)
		ptl_sys_close(dir);
	ptl_stream_put(stream);
	return err == ENOSPC ? ENOMEM : err;
}
