/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_create, _create_withlog, _shutdown: a stream's life.
 */
#include "core/api/pid.h"
#include "core/api/target.h"
#include "core/buffer/timeline.h"
#include "core/control/collect.h"
#include "core/control/processes.h"
#include "core/control/shutdown.h"
#include "core/core.h"
#include "core/flush/flush.h"
#include "core/flush/thread.h"
#include "core/process/leave.h"
#include "core/record/attached.h"
#include "core/shm/controller.h"
#include "core/shm/family.h"
#include "core/shm/registry.h"
#include "core/shm/segment.h"
#include "core/stream/attr.h"
#include "core/stream/stream.h"
#include "core/sys/clock.h"
#include "core/sys/ident.h"
#include "core/sys/pidns.h"
#include "core/sys/syscall.h"

#include <string.h>
#include <trace.h>

static void stamp(struct ptl_shm_attr *attr)
{
	uint64_t now = ptl_clock_ns(CLOCK_REALTIME);

	attr->create_sec = (int64_t)(now / 1000000000);
	attr->create_nsec = (uint32_t)(now % 1000000000);
}

/*
 * The names of the target's family.  Those in an entry that the process has
 * left are not its own; those that are there when it leaves it are.
 */
static int names_of(struct ptl_stream *stream, struct ptl_target *target,
		    const struct ptl_shm_ident *maker)
{
	int err;

	for (unsigned int tries = 0; tries < PTL_TARGET_MOVES; tries++) {
		err = ptl_family_names(target->dir, maker,
				       &target->entry->names, &stream->names);
		if (err || target->all || !ptl_target_has_moved(target))
			return err;
		ptl_sys_munmap(stream->names, sizeof(*stream->names));
		stream->names = NULL;
		ptl_target_find(target);
		if (!target->entry)
			return ESRCH;
	}
	return EAGAIN;
}

/* The segment and what belongs to it, for a target. */
static int make_segment(struct ptl_stream *stream, struct ptl_target *target,
			const struct ptl_shm_attr *attr)
{
	struct ptl_shm_ident maker = ptl_attached.ident;
	char tmp[PTL_SHM_NAME];
	int err;

	maker.uid = target->ident.uid;
	err = names_of(stream, target, &maker);
	if (err)
		return err;
	err = ptl_map_create(target->dir, target->ident.uid, attr,
			     &ptl_attached.ident, stream->names->prefix.id, tmp,
			     &stream->map);
	if (err)
		return err;
	stream->map->head->creator_image =
		1 + (uint64_t)atomic_load_explicit(&ptl_attached_entry()->image,
						   memory_order_relaxed);
	stream->lifeline =
		ptl_controller_holds(target->dir, tmp, stream->map->head);
	err = ptl_map_publish(target->dir, tmp, stream->map);
	if (err)
		return err;
	stream->map->log->bridges.ipcns = ptl_ipcns();
	ptl_timeline_begin(stream->map);
	return ptl_flush_init(stream);
}

/* /dev/shm is memory: that there is no space left in it is ENOMEM to the
 * standard, which has ENOSPC for the log's device. */
static int memory_error(int err)
{
	return err == ENOSPC ? ENOMEM : err;
}

static void unmake_segment(const struct ptl_target *target,
			   const struct ptl_map *map)
{
	char name[PTL_SHM_NAME];

	ptl_segment_name_stream(name, map->id);
	ptl_sys_unlink(target->dir, name);
	ptl_processes_unname(map->uid, map->id);
}

/* The stream traces the caller, which maps it as a traced process. */
static void map_own(uint64_t id)
{
	int i = ptl_registry_index(ptl_attached_entry(), id);

	if (i >= 0)
		ptl_attached_map((unsigned int)i);
}

static int build(struct ptl_stream *stream, struct ptl_target *target,
		 const struct ptl_shm_attr *attr, int fd, trace_id_t *trid)
{
	int err = memory_error(make_segment(stream, target, attr));

	if (!err && stream->kind == PTL_STREAM_LOGGED)
		err = ptl_flush_begin(stream, fd);
	if (!err) {
		/* Relaxed: the stream cannot be found before it is named. */
		atomic_store_explicit(
			&stream->map->head->processes,
			ptl_registry_says(target->entry, PTL_ENTRY_LOADED),
			memory_order_relaxed);
		err = ptl_target_name(target, stream->map);
	}
	/* Now, while it can be had: later there may be no descriptor left. */
	if (!err)
		map_own(stream->map->id);
	if (!err && ptl_attr_flushes(attr))
		err = ptl_flush_thread_start(stream);
	if (!err)
		err = ptl_stream_register(stream, trid);
	if (err) {
		atomic_store_explicit(&stream->entry.is_dying, true,
				      memory_order_relaxed);
		ptl_flush_thread_stop(stream);
	}
	if (err && stream->map)
		unmake_segment(target, stream->map);
	return err;
}

/* Asked first: what we open ourselves may get the number of a closed one. */
static int check_log(int fd, const struct ptl_shm_attr *attr)
{
	int flags = (int)ptl_sys(SYS_fcntl, fd, F_GETFL, 0, 0);
	struct ptl_kstat st;
	int err;

	if (flags < 0)
		return -flags;
	err = ptl_sys_fstat(fd, &st);
	if (err)
		return -err;
	if (S_ISDIR(st.st_mode))
		return EINVAL;
	if (flags & O_PATH || (flags & O_ACCMODE) == O_RDONLY)
		return EBADF;
	return S_ISREG(st.st_mode) || attr->log_policy == POSIX_TRACE_APPEND ?
		       0 :
		       EINVAL;
}

/* The caller found no place when it began: now it may be made in the last. */
static void make_place(void)
{
	uint32_t me = (uint32_t)ptl_sys_geteuid();
	int dir = ptl_rundir_place(me) < 0 ? ptl_rundir_make(me) : -ENOENT;

	if (dir >= 0)
		ptl_sys_close(dir);
}

static int create(pid_t pid, const trace_attr_t *attr,
		  enum ptl_stream_kind kind, int fd, trace_id_t *trid)
{
	struct ptl_stream *stream;
	struct ptl_shm_attr shm;
	struct ptl_target target;
	int err;

	if (!trid || ptl_attr_get(attr, &shm) != 0)
		return EINVAL;
	if (shm.stream_policy == 0)
		shm.stream_policy = kind == PTL_STREAM_LOGGED ?
					    POSIX_TRACE_FLUSH :
					    POSIX_TRACE_LOOP;
	if (kind == PTL_STREAM_LIVE && ptl_attr_flushes(&shm))
		return EINVAL;
	err = kind == PTL_STREAM_LOGGED ? check_log(fd, &shm) : 0;
	if (err)
		return err;
	make_place();
	ptl_core_init(NULL);
	if (ptl_pid_includes_caller(pid)) {
		err = ptl_leave_enter();
		if (!err)
			err = ptl_pid_why_unlisted();
	}
	if (!err)
		err = ptl_target_get(pid, &target);
	err = memory_error(err);
	if (err)
		return err;
	err = EAGAIN;
	if (ptl_collect(target.ident.uid) >= TRACE_SYS_MAX)
		goto out;
	err = ptl_stream_new(kind, &stream);
	if (err)
		goto out;
	stamp(&shm);
	/* Also if it fails: our end clears away what is left of it. */
	atomic_fetch_or_explicit(&ptl_attached_entry()->flags,
				 PTL_ENTRY_CONTROLS, memory_order_relaxed);
	err = build(stream, &target, &shm, fd, trid);
	if (err)
		ptl_stream_free(stream);
out:
	ptl_target_put(&target);
	return err;
}

PTL_EXPORT int posix_trace_create(pid_t pid, const trace_attr_t *restrict attr,
				  trace_id_t *restrict trid)
{
	return create(pid, attr, PTL_STREAM_LIVE, -1, trid);
}

PTL_EXPORT int posix_trace_create_withlog(pid_t pid,
					  const trace_attr_t *restrict attr,
					  int file_desc,
					  trace_id_t *restrict trid)
{
	return create(pid, attr, PTL_STREAM_LOGGED, file_desc, trid);
}

static int shut_down(trace_id_t trid, struct posix_trace_info_np *info,
		     const void *caller)
{
	struct ptl_stream *stream = ptl_stream_take(trid, PTL_STREAM_ACTIVE);

	if (!stream)
		return EINVAL;
	stream->caller = caller;
	return ptl_shutdown(stream, info);
}

PTL_EXPORT int posix_trace_shutdown_np(trace_id_t trid,
				       struct posix_trace_info_np *info)
{
	return shut_down(trid, info, __builtin_return_address(0));
}

PTL_EXPORT int posix_trace_shutdown(trace_id_t trid)
{
	return shut_down(trid, NULL, __builtin_return_address(0));
}
