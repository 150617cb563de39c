/* SPDX-License-Identifier: MIT */
/* See successor.h. */
#include "core/control/successor.h"

#include "core/control/recover.h"
#include "core/control/takeover.h"
#include "core/format/logfile.h"
#include "core/log/writer.h"
#include "core/record/attached.h"
#include "core/shm/controller.h"
#include "core/shm/segment.h"
#include "core/sys/ident.h"
#include "core/sys/syscall.h"

#include <string.h>

/* Which stream it is of; false: of none of this system. */
static bool read_head(int fd, struct ptl_log_head *head)
{
	char boot[sizeof(head->boot)];
	struct ptl_kstat st;

	ptl_boot_id(boot);
	return ptl_sys_fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       ptl_sys_pread(fd, head, sizeof(*head), 0) >=
		       PTL_LOG_HEAD_LEAST &&
	       ptl_log_head_ok(head) &&
	       memcmp(boot, head->boot, sizeof(boot)) == 0;
}

int ptl_successor_guard(int fd)
{
	struct ptl_log_head head = {.major = 0};
	char name[PTL_SHM_NAME];
	void *line;
	int dir;

	if (!read_head(fd, &head))
		return EINVAL;
	dir = ptl_rundir_open(head.uid, false);
	if (dir < 0)
		return dir == -ENOENT ? ESRCH : -dir;
	ptl_segment_name_stream(name, head.stream);
	line = ptl_controller_guards(dir, name);
	ptl_sys_close(dir);
	return line ? 0 : ESRCH;
}

/* If it was about to be shut down there is nothing to go on with. */
static int take_over(int dir, const struct ptl_log_head *head, int fd,
		     trace_id_t *trid)
{
	struct ptl_map *map;
	int err = ptl_map_attach(dir, head->uid, head->stream, &map);

	if (err)
		return ptl_segment_is_gone(err) ? ESRCH : err;
	if (!ptl_controller_is_due(dir, map->head))
		err = EBUSY;
	else if (ptl_map_state(map) & PTL_STATE_DEAD)
		err = ESRCH;
	else
		return ptl_takeover_adopt(dir, map, fd, trid);
	ptl_map_detach(map);
	if (err == ESRCH) {
		err = ptl_recover_guarded(dir, head->uid, head->stream, fd);
		err = !err || err == ENOENT ? ESRCH : err;
	}
	return err;
}

int ptl_successor_take(int fd, trace_id_t *trid)
{
	struct ptl_log_head head = {.major = 0};
	int dir, err;

	if (!read_head(fd, &head))
		return EINVAL;
	dir = ptl_rundir_open(head.uid, false);
	if (dir < 0)
		return dir == -ENOENT ? ESRCH : -dir;
	err = take_over(dir, &head, fd, trid);
	ptl_sys_close(dir);
	if (!err)
		atomic_fetch_or_explicit(&ptl_attached_entry()->flags,
					 PTL_ENTRY_CONTROLS,
					 memory_order_relaxed);
	return err;
}
