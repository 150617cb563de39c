/* SPDX-License-Identifier: MIT */
/* posix_trace_open, _rewind, _close, and the extensions that describe a log or
 * make the file for one. */
#include "core/control/logopen.h"
#include "core/control/processes.h"
#include "core/control/recover.h"
#include "core/core.h"
#include "core/flush/totals.h"
#include "core/format/logfile.h"
#include "core/log/spool.h"
#include "core/shm/family.h"
#include "core/shm/segment.h"
#include "core/shm/untraced.h"
#include "core/stream/bridges.h"
#include "core/stream/stream.h"
#include "core/sys/ident.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include <string.h>
#include <trace.h>

/* How long to wait for another process that completes the log, in ms. */
#define PATIENCE_MS 5000

/*
 * Another user's stream, that root looks at: what it has beyond the log goes
 * into a copy of the log.  The user's segment makes root write to no other
 * file.
 */
static int merge(int dir, const struct ptl_log_head *head, uint64_t size,
		 int fd, int *copy)
{
	int err;

	if (size > PTL_SHM_COPY_MAX)
		return EFBIG;
	*copy = ptl_spool(fd, false);
	if (*copy < 0)
		return -*copy;
	err = ptl_recover_copy(dir, head->uid, head->stream, *copy);
	if (err) {
		ptl_sys_close(*copy);
		*copy = -1;
	}
	return err;
}

static int complete(int dir, const struct ptl_log_head *head, int fd)
{
	int err = ptl_recover(dir, head->uid, head->stream, fd);
	struct timespec pause = {0, 1000000};

	/* Another process is at it: what it makes of the log we read. */
	for (int ms = 0; err == EAGAIN && ms < PATIENCE_MS; ms++) {
		ptl_sys(SYS_nanosleep, &pause, NULL, 0, 0);
		err = ptl_recover(dir, head->uid, head->stream, fd);
	}
	return err;
}

/*
 * If the log's controller died without completing it, does so; in a copy, if it
 * is not for us to do it.  Returns true if the stream is still being written.
 */
static bool recover(const struct ptl_log_reader *reader, int fd, int *copy)
{
	const struct ptl_log_head *head = ptl_log_reader_head(reader);
	char boot[40];
	int dir, err;

	ptl_boot_id(boot);
	if (ptl_log_reader_state(reader)->complete ||
	    memcmp(boot, head->boot, sizeof(boot)) != 0)
		return false;
	dir = ptl_rundir_open(head->uid, false);
	if (dir < 0)
		return false;
	if (head->uid == ptl_sys_geteuid())
		err = complete(dir, head, fd);
	else if (ptl_recover_controller_lives(dir, head->uid, head->stream))
		err = EBUSY;
	else
		err = merge(dir, head, ptl_log_reader_state(reader)->size, fd,
			    copy);
	ptl_sys_close(dir);
	return err == EBUSY;
}

/* Is it the log that the segment means, and no copy? */
static bool is_log_of(const struct ptl_map *map, int fd)
{
	struct ptl_kstat st;

	return ptl_sys_fstat(fd, &st) == 0 && st.st_dev == map->log->dev &&
	       st.st_ino == map->log->ino;
}

/* The totals of a log without end: its segment has them, if it is there. */
static bool ask_segment(struct ptl_stream *stream, int fd)
{
	const struct ptl_log_head *head =
		ptl_log_reader_head(stream->opened.reader);
	bool ours = head->uid == ptl_sys_geteuid(), found;
	struct ptl_shm_names *names;
	struct ptl_map *map;
	char boot[40];
	int dir, err;

	ptl_boot_id(boot);
	if (memcmp(boot, head->boot, sizeof(boot)) != 0)
		return false;
	dir = ptl_rundir_open(head->uid, false);
	if (dir < 0)
		return false;
	err = (ours ? ptl_map_attach : ptl_map_copy)(dir, head->uid,
						     head->stream, &map);
	if (err) {
		ptl_sys_close(dir);
		return false;
	}
	err = (ours ? ptl_family_find : ptl_family_copy)(
		dir, head->uid, map->head->names, &names);
	if (err)
		names = NULL;
	ptl_sys_close(dir);
	found = is_log_of(map, fd);
	if (found) {
		ptl_totals_known(map, names, !stream->opened.is_active,
				 &stream->opened.end);
		ptl_untraced_get(map, &stream->opened.untraced);
	}
	if (names)
		ptl_sys_munmap(names, sizeof(*names));
	ptl_map_detach(map);
	/* Of our own user's processes we may find, and record, which have
	 * ended. */
	if (found && stream->opened.is_active && ours)
		stream->opened.live =
			ptl_processes_live(head->uid, head->stream);
	else
		stream->opened.live = stream->opened.is_active;
	return found;
}

static void find_totals(struct ptl_stream *stream, int fd)
{
	const struct ptl_log_reader_state *state =
		ptl_log_reader_state(stream->opened.reader);
	const struct ptl_log_head *head =
		ptl_log_reader_head(stream->opened.reader);

	stream->opened.has_end = true;
	stream->opened.untraced = state->untraced;
	if (state->complete)
		stream->opened.end = state->end;
	else if (!ask_segment(stream, fd)) {
		stream->opened.has_end =
			ptl_totals_cut(head, &stream->opened.end);
		atomic_store_explicit(&stream->opened.untraced.count,
				      head->cut_untraced, memory_order_relaxed);
	}
	/* As many as there are, whatever it says. */
	stream->opened.end.events = state->events;
}

static int open_log(int fd, struct ptl_stream *stream)
{
	int err = ptl_log_reader_open(fd, &stream->opened.reader), copy = -1;

	if (err)
		return err;
	if (!ptl_log_reader_state(stream->opened.reader)->complete) {
		stream->opened.is_active =
			recover(stream->opened.reader, fd, &copy);
		ptl_log_reader_close(stream->opened.reader);
		err = ptl_log_reader_open(copy < 0 ? fd : copy,
					  &stream->opened.reader);
	}
	if (!err)
		find_totals(stream, fd);
	if (copy >= 0)
		ptl_sys_close(copy);
	return err;
}

PTL_EXPORT int posix_trace_open(int file_desc, trace_id_t *trid)
{
	struct ptl_stream *stream;
	int err;

	if (!trid)
		return EINVAL;
	err = ptl_stream_new(PTL_STREAM_LOG, &stream);
	if (err)
		return err;
	err = open_log(file_desc, stream);
	if (err)
		stream->opened.reader = NULL;
	else
		err = ptl_stream_register(stream, trid);
	if (err)
		ptl_stream_free(stream);
	return err;
}

PTL_EXPORT int posix_trace_open_np(int file_desc, trace_id_t *trid)
{
	int copy, err;

	if (!trid)
		return EINVAL;
	copy = ptl_spool(file_desc, true);
	if (copy < 0)
		return copy == -ENOMEM || copy == -EINVAL ? -copy : EIO;
	err = posix_trace_open(copy, trid);
	ptl_sys_close(copy);
	return err;
}

PTL_EXPORT int posix_trace_rewind(trace_id_t trid)
{
	struct ptl_stream *stream = ptl_stream_get(trid, PTL_STREAM_LOG);
	struct ptl_lock_mask mask;

	if (!stream)
		return EINVAL;
	ptl_lock(&stream->lock, &mask);
	ptl_log_reader_rewind(stream->opened.reader);
	stream->opened.at_end = false;
	ptl_unlock(&stream->lock, &mask);
	ptl_stream_put(stream);
	return 0;
}

static bool to_ns(const struct timespec *time, uint64_t *ns)
{
	if (!time)
		return true;
	if (time->tv_nsec < 0 || time->tv_nsec >= 1000000000)
		return false;
	*ns = UINT64_MAX;
	if ((uint64_t)time->tv_sec < UINT64_MAX / 1000000000)
		*ns = (uint64_t)time->tv_sec * 1000000000 +
		      (uint64_t)time->tv_nsec;
	/* 0 would be no limit. */
	if (time->tv_sec < 0 || *ns == 0)
		*ns = 1;
	return true;
}

PTL_EXPORT int posix_trace_set_window_np(trace_id_t trid,
					 const struct timespec *since,
					 const struct timespec *until)
{
	struct ptl_stream *stream = ptl_stream_get(trid, PTL_STREAM_LOG);
	uint64_t ns[2] = {0};
	struct ptl_lock_mask mask;

	if (!stream)
		return EINVAL;
	if (!to_ns(since, &ns[0]) || !to_ns(until, &ns[1])) {
		ptl_stream_put(stream);
		return EINVAL;
	}
	ptl_lock(&stream->lock, &mask);
	ptl_log_reader_limit(stream->opened.reader, ns[0], ns[1]);
	ptl_unlock(&stream->lock, &mask);
	ptl_stream_put(stream);
	return 0;
}

PTL_EXPORT int posix_trace_get_counter_time_np(trace_id_t trid,
					       unsigned long long counter,
					       struct timespec *time)
{
	struct ptl_stream *stream = ptl_stream_get(trid, PTL_STREAM_LOG);
	struct ptl_lock_mask mask;
	uint64_t ns;

	if (!stream)
		return EINVAL;
	ptl_lock(&stream->lock, &mask);
	ns = ptl_log_reader_time(stream->opened.reader, counter);
	ptl_unlock(&stream->lock, &mask);
	ptl_stream_put(stream);
	if (!time)
		return EINVAL;
	*time = (struct timespec){
		.tv_sec = (time_t)(ns / 1000000000),
		.tv_nsec = (long)(ns % 1000000000),
	};
	return 0;
}

PTL_EXPORT int posix_trace_close(trace_id_t trid)
{
	struct ptl_stream *stream = ptl_stream_take(trid, PTL_STREAM_LOG);

	if (!stream)
		return EINVAL;
	ptl_stream_free(stream);
	return 0;
}

static const char *clock_name(uint32_t clock)
{
	return clock == PTL_CLOCK_TSC	    ? "tsc" :
	       clock == PTL_CLOCK_MONOTONIC ? "monotonic" :
					      "unknown";
}

static void host_info(const struct ptl_log_head *head,
		      struct posix_trace_info_np *info)
{
	const struct ptl_log_host *host = &head->where;

	memcpy(info->host, head->host, sizeof(info->host) - 1);
	memcpy(info->boot_id, head->boot, sizeof(info->boot_id) - 1);
	memcpy(info->machine_id, host->machine, sizeof(info->machine_id) - 1);
	memcpy(info->time_zone, host->zone, sizeof(info->time_zone) - 1);
	info->clock_kept = host->clock_sync == PTL_SYNC_KEPT  ? 1 :
			   host->clock_sync == PTL_SYNC_ALONE ? -1 :
								0;
	if (host->clock_sync == PTL_SYNC_KEPT)
		info->clock_error = (long long)host->clock_error;
	info->clock_offset = (long long)host->clock_offset;
}

static void log_info(const struct ptl_stream *stream,
		     struct posix_trace_info_np *info)
{
	const struct ptl_log_reader_state *state =
		ptl_log_reader_state(stream->opened.reader);
	const struct ptl_log_head *head =
		ptl_log_reader_head(stream->opened.reader);

	ptl_totals_info(&stream->opened.end, &stream->opened.untraced, info);
	/* Fewer than when it was opened, if it turned out to be damaged. */
	info->events = state->events;
	info->lost_unknown = !stream->opened.has_end;
	info->live_processes =
		state->complete && info->controller_died ?
			(unsigned int)stream->opened.end.left - 1 :
			stream->opened.live;
	info->log_size = state->size;
	info->bad_offset = state->bad_offset;
	info->bad_size = state->bad_size;
	info->log_state = state->bad_size ? POSIX_TRACE_LOG_DAMAGED_NP :
			  state->complete ? POSIX_TRACE_LOG_COMPLETE_NP :
			  stream->opened.is_active ?
					    POSIX_TRACE_LOG_ACTIVE_NP :
					    POSIX_TRACE_LOG_INCOMPLETE_NP;
	ptl_strcopy(info->clock, sizeof(info->clock), clock_name(head->clock));
	host_info(head, info);
}

static void live_info(const struct ptl_stream *stream,
		      struct posix_trace_info_np *info)
{
	const struct ptl_shm_head *head = stream->map->head;
	struct ptl_shm_log *log = stream->map->log;

	struct ptl_untraced untraced;
	struct ptl_log_end so_far;

	/* Not stream->log.events and log.end: its flusher may be at work. */
	ptl_totals_known(stream->map, stream->names, false, &so_far);
	ptl_untraced_get(stream->map, &untraced);
	ptl_totals_info(&so_far, &untraced, info);
	info->live_processes = ptl_processes_expected(
		stream->map->uid, stream->map->id, &info->unborn_processes);
	info->killed = (unsigned int)ptl_bridges_killed(stream->map);
	info->waited =
		atomic_load_explicit(&head->waited, memory_order_relaxed);
	info->log_size = atomic_load_explicit(&log->end, memory_order_relaxed);
	info->log_state = stream->kind == PTL_STREAM_LOGGED ?
				  POSIX_TRACE_LOG_ACTIVE_NP :
				  POSIX_TRACE_LOG_NONE_NP;
	ptl_strcopy(info->clock, sizeof(info->clock), clock_name(head->clock));
}

PTL_EXPORT int posix_trace_get_info_np(trace_id_t trid,
				       struct posix_trace_info_np *info)
{
	struct ptl_stream *stream = ptl_stream_get(trid, PTL_STREAM_ANY);

	if (!stream)
		return EINVAL;
	if (info) {
		memset(info, 0, sizeof(*info));
		if (stream->opened.reader)
			log_info(stream, info);
		else
			live_info(stream, info);
	}
	ptl_stream_put(stream);
	return info ? 0 : EINVAL;
}

PTL_EXPORT int posix_trace_create_logfile_np(const char *path, int flags,
					     int *file_desc)
{
	int fd;

	if (!path || !file_desc)
		return EINVAL;
	fd = ptl_logopen(path, flags);
	if (fd < 0)
		return -fd;
	*file_desc = fd;
	return 0;
}
