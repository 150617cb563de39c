/* SPDX-License-Identifier: MIT */
/* posix_trace_refused_np: which places a stream cannot be created in. */
#include "core/api/pid.h"
#include "core/shm/place.h"
#include "core/shm/refused.h"
#include "core/shm/rundir.h"
#include "core/sys/ident.h"
#include "core/sys/syscall.h"

#include <trace.h>

/* Whose streams a process is traced by, if the caller may trace it. */
static int user_of(pid_t pid, uint32_t *uid)
{
	struct ptl_shm_ident ident = {.uid = (uint32_t)ptl_sys_geteuid()};
	int err = 0;

	if (!ptl_pid_includes_caller(pid)) {
		err = ptl_proc_permission(pid);
		if (!err)
			err = ptl_ident_of(pid, &ident);
	}
	*uid = ident.uid;
	return err;
}

PTL_EXPORT int posix_trace_refused_np(pid_t pid, char *text, size_t size)
{
	uint32_t uid;
	int dir, err;

	if (!text || size == 0)
		return EINVAL;
	err = user_of(pid, &uid);
	if (err)
		return err;
	*text = '\0';
	dir = ptl_rundir_make(uid);
	if (dir < 0)
		ptl_refused_places(uid, 0, PTL_PLACES, text, size);
	else
		ptl_sys_close(dir);
	return 0;
}
