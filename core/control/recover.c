/* SPDX-License-Identifier: MIT */
/*
 * Ending a stream.  The steps are the same for a controller that shuts down
 * and for one who comes after a dead controller: no more recording, what is
 * committed into the log, what makes the log complete, the segment away.
 * Each can be done again by the next if the one who does it dies.
 */
#include "core/control/recover.h"

#include "core/buffer/chunk.h"
#include "core/control/census.h"
#include "core/control/takeover.h"
#include "core/flush/flush.h"
#include "core/flush/thread.h"
#include "core/flush/totals.h"
#include "core/format/sysevents.h"
#include "core/record/attached.h"
#include "core/record/emit.h"
#include "core/record/oneshot.h"
#include "core/shm/registry.h"
#include "core/shm/segment.h"
#include "core/shm/untraced.h"
#include "core/sys/ident.h"
#include "core/sys/pidns.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"
#include "core/sys/wait.h"

#include <string.h>
#include <sys/file.h>

/* How long to wait for records that are being written, in ms. */
#define PATIENCE_MS 50

/* How long the stream of a log without a name is kept, in ns; and of a log that
 * is another user's, who has it open or may come and look at it. */
#define UNCLAIMED_NS UINT64_C(60000000000)
#define FOREIGN_NS (60 * UNCLAIMED_NS)

static void stop(struct ptl_map *map, const void *caller)
{
	struct ptl_emit_as as;
	int32_t reason = 0;

	if (!ptl_head_change(map->head, PTL_STATE_RUNNING, 0))
		return;
	/* Every recorder that still saw RUNNING has read its clock by now, so
	 * no event is later than STOP.  Pairs with ptl_short_record() and
	 * reserve(). */
	ptl_sys_membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED);
	ptl_hold_self(&as);
	if (!ptl_map_filters(map, PTL_EV_STOP) &&
	    !ptl_once(map, &as, PTL_EV_STOP, &reason, sizeof(reason),
		      sizeof(reason), caller))
		/* It was full, then, and has stopped by itself. */
		ptl_emit_full(map, 0);
}

void ptl_stream_stop(struct ptl_stream *stream)
{
	stop(stream->map, stream->caller);
}

/* Is somebody between reserving and committing a record, or about to tell what
 * is lost? */
static bool writing(struct ptl_stream *stream)
{
	struct ptl_map *map = stream->map;

	for (uint32_t i = 0; i < map->nr_chunks; i++) {
		struct ptl_cursor cursor = {0};
		struct ptl_record rec;
		enum ptl_peek peek;

		while ((peek = ptl_cursor_peek(map, i, &cursor,
					       PTL_PATIENCE_ORDER, &rec)) ==
			       PTL_PEEK_EVENT &&
		       ptl_cursor_goes_on(&cursor, 0))
			ptl_cursor_step(&cursor, &rec);
		/* A hole that is more than the zeroes at the end. */
		if (peek == PTL_PEEK_LOSING ||
		    (peek == PTL_PEEK_PENDING && rec.id == PTL_ID_PENDING))
			return true;
	}
	return false;
}

static void wait_for_writers(struct ptl_stream *stream)
{
	struct timespec pause = {0, 1000000};

	for (unsigned int ms = 0; ms < PATIENCE_MS && writing(stream); ms++)
		ptl_sys(SYS_nanosleep, &pause, NULL, 0, 0);
}

/*
 * Nothing is recorded any more: the log gets all there is.  The totals tell
 * what it did not get.
 */
static int complete_log(struct ptl_stream *stream, struct ptl_log_end *end)
{
	struct ptl_untraced untraced;
	int err;

	wait_for_writers(stream);
	err = ptl_flush_last(stream);
	ptl_totals_last(stream, end);
	if (!err)
		err = ptl_flush_end(stream, end);
	if (!err) {
		atomic_fetch_or_explicit(&stream->map->log->log_status,
					 PTL_LOG_COMPLETE,
					 memory_order_relaxed);
		return 0;
	}
	end->status[PTL_LOG_END_ERROR] = err;
	ptl_untraced_get(stream->map, &untraced);
	ptl_log_cut_short(&stream->log, end, untraced.count);
	return err;
}

static void remove_segment(int dir, struct ptl_map *map)
{
	char name[PTL_SHM_NAME];

	/* Processes that idle keep the mapping: give its pages back, but for
	 * chunks a thread may be writing to at this moment. */
	for (uint32_t i = 0; i < map->nr_chunks; i++) {
		uint64_t own = atomic_load_explicit(&map->table[i].own,
						    memory_order_relaxed);

		if (ptl_own_state(own) != PTL_CHUNK_OPEN &&
		    !ptl_own_pinned(own))
			ptl_sys_madvise(ptl_map_chunk(map, i), map->chunk_size,
					MADV_REMOVE);
	}
	ptl_shm_name_stream(name, map->id);
	ptl_sys_unlink(dir, name);
}

static void dead(struct ptl_map *map)
{
	/* Pairs with record() in emit.c. */
	atomic_fetch_or_explicit(&map->head->state, PTL_STATE_DEAD,
				 memory_order_seq_cst);
	ptl_sys_membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED);
	ptl_wait_wake(&map->head->sleeper);
}

/* This process traced itself: lets go of its own part in the stream. */
static void leave(const struct ptl_map *map)
{
	struct ptl_shm_block *block = ptl_self_block();
	int ref;

	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++) {
		/* Pairs with ptl_self_install(). */
		struct ptl_map *own = atomic_load_explicit(
			&ptl_self.map[i], memory_order_acquire);

		if (own && own->id == map->id) {
			ptl_emit_leave(i);
			ptl_self_drop(i, own);
			ptl_self_reap();
		}
	}
	/* One that was never mapped. */
	ref = ptl_block_index(block, map->id);
	if (ref >= 0)
		ptl_block_drop(block, (unsigned int)ref, map->id);
}

static void fill_info(const struct ptl_stream *stream,
		      const struct ptl_log_end *end, int err,
		      struct posix_trace_info_np *info)
{
	const struct ptl_shm_head *head = stream->map->head;
	struct ptl_untraced untraced;

	memset(info, 0, sizeof(*info));
	ptl_untraced_get(stream->map, &untraced);
	ptl_totals_info(end, &untraced, info);
	info->log_size = stream->log.end;
	info->log_state = stream->kind != PTL_STREAM_LOGGED ?
				  POSIX_TRACE_LOG_NONE_NP :
			  err ? POSIX_TRACE_LOG_INCOMPLETE_NP :
				POSIX_TRACE_LOG_COMPLETE_NP;
	ptl_strcopy(info->clock, sizeof(info->clock),
		    head->clock == PTL_CLOCK_TSC ? "tsc" : "monotonic");
}

int ptl_stream_end(struct ptl_stream *stream, struct posix_trace_info_np *info)
{
	struct ptl_map *map = stream->map;
	uint32_t uid = map->uid;
	struct ptl_log_end end;
	int dir, err = 0;

	ptl_flusher_stop(stream);
	ptl_census_processes(uid, map->id);
	/* Before STOP, which is to be the last event. */
	ptl_flush_settle(stream);
	ptl_stream_stop(stream);
	dead(map);
	if (stream->kind == PTL_STREAM_LOGGED)
		err = complete_log(stream, &end);
	else
		ptl_totals_last(stream, &end);
	if (err)
		atomic_fetch_or_explicit(&map->log->log_status,
					 PTL_LOG_ABANDONED,
					 memory_order_relaxed);
	leave(map);
	ptl_census_unname(uid, map->id);
	if (info)
		fill_info(stream, &end, err, info);
	dir = ptl_rundir_open(uid, false);
	if (dir >= 0) {
		/* Nobody can complete what went through a pipe. */
		if (!err || !stream->log.seekable)
			remove_segment(dir, map);
		ptl_sys_close(dir);
	}
	ptl_stream_free(stream);
	return err;
}

/* The program after an exec may be traced by the stream the one before it
 * created: then it has the segment mapped, too. */
static bool has_new_image(const struct ptl_shm_head *head)
{
	uint32_t image;
	bool found;
	int dir;

	dir = ptl_rundir_open(head->creator.uid, false);
	if (dir < 0)
		return false;
	found = ptl_block_image(dir, &head->creator, &image);
	ptl_sys_close(dir);
	return found && (uint64_t)image + 1 != head->creator_image;
}

/* Dead, gone on to another program without shutting its streams down, or done
 * with this one. */
static bool controller_gone(const struct ptl_shm_head *head, uint32_t status)
{
	char name[PTL_SHM_NAME];

	if (status & PTL_LOG_ABANDONED)
		return true;
	/* Its number is somebody else's here, or nobody's. */
	if (head->creator.pidns != ptl_pidns())
		return ptl_pidns_gone(&head->creator);
	if (ptl_ident_life(&head->creator, NULL) != PTL_LIFE_ALIVE)
		return true;
	if (head->creator_image == PTL_IMAGE_ANY)
		return false;
	if (has_new_image(head))
		return true;
	ptl_shm_name_stream(name, head->prefix.id);
	return !ptl_proc_maps((int)head->creator.pid, name);
}

bool ptl_stream_lives(int dir, uint32_t uid, uint64_t id)
{
	struct ptl_shm_head head;
	struct ptl_shm_log log;
	char name[PTL_SHM_NAME];

	ptl_shm_name_stream(name, id);
	return ptl_shm_peek(dir, name, PTL_SHM_MAGIC_STREAM, uid, 0, &head,
			    sizeof(head)) == 0 &&
	       ptl_shm_peek(dir, name, PTL_SHM_MAGIC_STREAM, uid, head.log_off,
			    &log, sizeof(log)) == 0 &&
	       head.prefix.id == id && !controller_gone(&head, log.log_status);
}

/* The creator was in a program that had not started us when it ended. */
static void tell_untraced(int dir, struct ptl_map *map)
{
	const struct ptl_shm_ident *creator = &map->head->creator;
	char name[PTL_SHM_NAME], program[PTL_BLOCK_PROGRAM];
	struct ptl_shm_block *block;

	ptl_shm_name_block(name, creator->pidns, creator->pid);
	if (ptl_ident_life(creator, NULL) == PTL_LIFE_ALIVE ||
	    ptl_block_attach(dir, map->uid, name, &block) != 0)
		return;
	ptl_strcopy(program, sizeof(program), block->program);
	if (block->ident.born == creator->born && program[0])
		ptl_untraced_add(map, program, PTL_NOT_STARTED);
	ptl_block_unmap(block);
}

static int recover_log(int dir, struct ptl_map *map, int fd)
{
	struct ptl_stream *stream;
	struct ptl_log_end end;
	int err = ptl_stream_new(PTL_STREAM_LOGGED, &stream);

	if (err)
		return err;
	err = ptl_resume(stream, dir, map, fd);
	if (!err) {
		tell_untraced(dir, map);
		err = complete_log(stream, &end);
	}
	/* The mapping is the caller's. */
	if (stream->cursor)
		ptl_sys_munmap(stream->cursor, ptl_stream_cursors_size(map));
	stream->cursor = NULL;
	stream->map = NULL;
	ptl_stream_free(stream);
	return err;
}

/*
 * A log that is gone, or another's now, cannot be completed by its name.  For a
 * while somebody may still come who has it open; a copy of it says nothing
 * about the true one.
 */
static bool is_lost(struct ptl_map *map, int err)
{
	uint64_t now = ptl_boottime(), patience = UNCLAIMED_NS;

	if (err == EACCES && map->head->creator.uid != map->uid)
		patience = FOREIGN_NS;
	else if (err != ENOENT && err != ESTALE && err != EINVAL)
		return false;
	if (map->log->log_status & PTL_LOG_COMPLETE)
		return true;
	if (map->log->gone_since == 0)
		map->log->gone_since = now;
	return now - map->log->gone_since >= patience;
}

int ptl_recover_copy(int dir, uint32_t uid, uint64_t id, int fd)
{
	struct ptl_map *map;
	struct stat st;
	int err = ptl_map_copy(dir, uid, id, &map);

	if (err)
		return err;
	if (!controller_gone(map->head, map->log->log_status)) {
		err = EBUSY;
	} else if (!map->log->has_log || ptl_sys_fstat(fd, &st) != 0) {
		err = EINVAL;
	} else {
		map->log->dev = st.st_dev;
		map->log->ino = st.st_ino;
		stop(map, NULL);
		err = recover_log(dir, map, fd);
	}
	ptl_map_detach(map);
	return err;
}

int ptl_recover(int dir, uint32_t uid, uint64_t id, int fd)
{
	char name[PTL_SHM_NAME];
	struct ptl_map *map;
	struct stat st;
	int lock, err;

	ptl_shm_name_stream(name, id);
	err = ptl_map_attach(dir, uid, id, &map);
	if (err)
		return err;
	if (!controller_gone(map->head, map->log->log_status)) {
		err = EBUSY;
		goto out_detach;
	}
	/* flock: one recoverer at a time, and none forever if it dies. */
	lock = ptl_sys_open(dir, name,
			    O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
	if (lock < 0) {
		err = -lock;
		goto out_detach;
	}
	if (ptl_sys(SYS_flock, lock, LOCK_EX | LOCK_NB, 0, 0) != 0) {
		err = EAGAIN;
		goto out_close;
	}
	/* Whoever had the lock before us may have done it. */
	if (ptl_sys(SYS_newfstatat, lock, "", &st, AT_EMPTY_PATH) != 0 ||
	    st.st_nlink == 0) {
		err = ENOENT;
		goto out_close;
	}
	/* Nobody records into it any more, whatever becomes of the log. */
	ptl_census_processes(uid, id);
	stop(map, NULL);
	dead(map);
	if (map->log->has_log)
		err = recover_log(dir, map, fd);
	ptl_census_unname(uid, id);
	if (err == 0 || (fd < 0 && is_lost(map, err)))
		remove_segment(dir, map);
out_close:
	ptl_sys_close(lock);
out_detach:
	ptl_map_detach(map);
	return err;
}
