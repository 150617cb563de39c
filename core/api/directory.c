/* SPDX-License-Identifier: MIT */
/* posix_trace_directory_np: where the memory of a user's streams is. */
#include "core/shm/place.h"
#include "core/shm/rundir.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include <trace.h>

PTL_EXPORT int posix_trace_directory_np(uid_t uid, int flags, char *path,
					size_t size)
{
	char found[PTL_PLACE_PATH];
	int dir, place;

	if (!path || size == 0 || flags & ~O_CREAT)
		return EINVAL;
	dir = flags & O_CREAT ? ptl_rundir_make(uid) :
				ptl_rundir_open(uid, false);
	if (dir < 0)
		return -dir;
	ptl_sys_close(dir);
	/* There it was found just now; another thread may have looked for
	 * another user's. */
	place = ptl_rundir_place(uid);
	if (place < 0)
		return EAGAIN;
	ptl_place_path(found, uid, (unsigned int)place);
	return ptl_strcopy(path, size, found) == ptl_strlen(found) ? 0 : ERANGE;
}
