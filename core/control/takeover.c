/* SPDX-License-Identifier: MIT */
/*
 * How far the controller of a stream had come is in the segment and the log
 * together.
 */
#include "core/control/takeover.h"

#include "core/format/logfile.h"
#include "core/buffer/chunk.h"
#include "core/buffer/unlogged.h"
#include "core/flush/flush.h"
#include "core/flush/log_policy.h"
#include "core/flush/thread.h"
#include "core/record/attached.h"
#include "core/shm/controller.h"
#include "core/shm/family.h"
#include "core/shm/segment.h"
#include "core/stream/attr.h"
#include "core/stream/bridges.h"
#include "core/sys/syscall.h"

#include <string.h>
#include <sys/file.h>

static void skip_chunk(struct ptl_map *map, uint32_t i, uint32_t n,
		       const struct ptl_log_reader *reader)
{
	struct ptl_shm_chunk *chunk = &map->table[i];
	/* Pairs with ptl_chunk_change(). */
	uint64_t own = atomic_load_explicit(&chunk->own, memory_order_acquire);
	uint64_t read =
		atomic_load_explicit(&chunk->read, memory_order_relaxed);
	uint32_t gen = ptl_read_gen(read);
	uint64_t end;

	/* Cleaned, or it will be. */
	if (ptl_own_gen(own) != gen)
		return;
	end = ptl_log_reader_chunk_end(
		reader, n,
		atomic_load_explicit(&chunk->life, memory_order_relaxed));
	end = PTL_MAX(end, ptl_unlogged_from(map, i, read));
	/* Foreign bytes: no more than there is.  If it fails, a writer has
	 * cleaned what a dead flusher would have. */
	end = ptl_read(gen, PTL_MIN(end, map->chunk_size));
	if (atomic_compare_exchange_strong_explicit(&chunk->read, &read, end,
						    memory_order_relaxed,
						    memory_order_relaxed))
		atomic_store_explicit(&chunk->logged, end,
				      memory_order_relaxed);
}

/*
 * Where the log ends it says itself: the segment may be hostile, and what is in
 * the log is there to stay.  In a ring nothing follows the end but its other
 * slots.
 */
static int find_end(struct ptl_stream *stream, const struct ptl_log_head *head,
		    uint64_t good_end)
{
	stream->log.writer.end = good_end;
	/* EIO: a duplicate that is not open for writing. */
	return head->ring_slots ||
			       ptl_log_cut(&stream->log.writer, good_end) == 0 ?
		       0 :
		       EACCES;
}

/* What the log has already must not be written again. */
static int skip_written(struct ptl_stream *stream,
			const struct ptl_log_reader *reader)
{
	const struct ptl_log_reader_state *state = ptl_log_reader_state(reader);
	const struct ptl_log_head *head = ptl_log_reader_head(reader);
	int err;

	/* Where it ends is not known then, nor what it has. */
	if (state->error)
		return state->error;
	for (uint32_t n = 0; n < stream->nr_chunks; n++) {
		uint32_t i;
		struct ptl_map *map = ptl_stream_chunk(stream, n, &i);

		if (map)
			skip_chunk(map, i, n, reader);
	}
	stream->log.events = state->events;
	stream->log.first =
		state->lost_since ? state->lost_since : state->first;
	stream->log.last = state->last;
	err = find_end(stream, head, state->good_end);
	return err ? err :
		     ptl_log_policy_resume(stream, head, state->event_bytes);
}

/*
 * The log by the path in the segment.  A user can forge the segments of that
 * user, and a process that was root when the segment was made may be a user's
 * now: the file is not opened, which may wait or have effects, before it is
 * known to be the one that the segment means, and root does not take another
 * user's file.  Without /proc it cannot be opened then; a process that has the
 * log open can go on.
 */
static int find_log(const struct ptl_shm_log *log, uint32_t uid)
{
	char path[PTL_PATH_SIZE];
	struct ptl_kstat st;
	int fd, err;

	memcpy(path, log->path, sizeof(path));
	path[sizeof(path) - 1] = '\0';
	fd = ptl_sys_open(AT_FDCWD, path, O_PATH | O_NOFOLLOW, 0);
	if (fd < 0)
		return fd;
	err = (int)ptl_sys(SYS_newfstatat, fd, "", &st, AT_EMPTY_PATH);
	if (!err && (!S_ISREG(st.st_mode) || st.st_dev != log->dev ||
		     st.st_ino != log->ino))
		err = -ESTALE;
	if (!err && ptl_sys_geteuid() == 0 && st.st_uid != uid)
		err = -EACCES;
	if (!err)
		return fd;
	ptl_sys_close(fd);
	return err;
}

static int resume_log(struct ptl_stream *stream, int fd)
{
	const struct ptl_map *map = stream->map;
	const struct ptl_shm_log *log = map->log;
	struct ptl_log_reader *reader;
	int own = fd, err;

	if (fd < 0)
		own = find_log(log, map->uid);
	if (own < 0)
		return -own;
	err = ptl_log_resume(&stream->log.writer, own, log->dev, log->ino,
			     map->id);
	if (fd < 0)
		ptl_sys_close(own);
	if (!err)
		err = ptl_log_reader_open(stream->log.writer.fd, &reader);
	if (err)
		return err;
	err = skip_written(stream, reader);
	ptl_log_reader_close(reader);
	return err;
}

int ptl_takeover(struct ptl_stream *stream, int dir, struct ptl_map *map,
		 int fd)
{
	uint64_t names = map->head->names;
	int err;

	stream->map = map;
	err = map->is_copy ?
		      ptl_family_copy(dir, map->uid, names, &stream->names) :
		      ptl_family_find(dir, map->uid, names, &stream->names);
	if (ptl_segment_is_gone(err))
		err = ENOENT;
	if (!err)
		err = ptl_flush_init(stream);
	if (!err)
		ptl_bridges_look(stream);
	return err ? err : resume_log(stream, fd);
}

/* Did an image of this very process create it, to outlive that image? */
static bool is_ours(const struct ptl_map *map)
{
	const struct ptl_shm_ident *own = &ptl_attached_entry()->ident;
	const struct ptl_shm_ident *creator = &map->head->creator;

	return map->head->creator_image == PTL_IMAGE_ANY && map->log->has_log &&
	       ptl_attr_flushes(&map->head->attr) && creator->pid == own->pid &&
	       creator->pidns == own->pidns && creator->born >= own->born;
}

/* If nobody recovers it: then nobody will, once we are its controller.  Its
 * lock in *lock. */
static int keep_recoverers_out(int dir, const struct ptl_map *map, int *lock)
{
	char name[PTL_SHM_NAME];

	ptl_segment_name_stream(name, map->id);
	*lock = ptl_sys_open(dir, name,
			     O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
	if (*lock < 0)
		return -*lock;
	if (ptl_sys(SYS_flock, *lock, LOCK_EX | LOCK_NB, 0, 0) == 0 &&
	    !(ptl_map_state(map) & PTL_STATE_DEAD))
		return 0;
	ptl_sys_close(*lock);
	return EAGAIN;
}

static int take_control(struct ptl_stream *stream, int dir, struct ptl_map *map,
			int fd)
{
	struct ptl_shm_head *head = map->head;
	int lock, err = keep_recoverers_out(dir, map, &lock);
	char name[PTL_SHM_NAME];

	stream->map = map;
	if (err)
		return err;
	ptl_segment_name_stream(name, map->id);
	stream->lifeline = ptl_controller_holds(dir, name, head);
	if (head->creator_image != PTL_IMAGE_ANY) {
		head->creator = ptl_attached.ident;
		head->creator_image = 1 + (uint64_t)atomic_load_explicit(
						  &ptl_attached_entry()->image,
						  memory_order_relaxed);
	}
	ptl_sys_close(lock);
	return ptl_takeover(stream, dir, map, fd);
}

int ptl_takeover_adopt(int dir, struct ptl_map *map, int fd, trace_id_t *trid)
{
	struct ptl_stream *stream;
	int err = ptl_stream_new(PTL_STREAM_LOGGED, &stream);

	if (err) {
		ptl_map_detach(map);
		return err;
	}
	err = take_control(stream, dir, map, fd);
	if (!err && ptl_attr_flushes(&map->head->attr))
		err = ptl_flush_thread_start(stream);
	if (!err)
		err = ptl_stream_register(stream, trid);
	if (err) {
		atomic_store_explicit(&stream->entry.is_dying, true,
				      memory_order_relaxed);
		ptl_flush_thread_stop(stream);
		ptl_stream_free(stream);
	}
	return err;
}

void ptl_takeover_exec(void)
{
	for (uint64_t left = ptl_attached_active(); left; left &= left - 1) {
		struct ptl_map *map =
			ptl_attached_map((unsigned int)__builtin_ctzll(left));

		if (map && is_ours(map))
			ptl_controller_execs(map->head);
	}
}

bool ptl_takeover_own(void)
{
	uint32_t uid = ptl_attached.ident.uid;
	int dir = ptl_rundir_open(uid, false);
	bool found = false;
	trace_id_t trid;

	if (dir < 0)
		return false;
	for (uint64_t left = ptl_attached_active(); left; left &= left - 1) {
		struct ptl_map *map =
			ptl_attached_map((unsigned int)__builtin_ctzll(left));

		/* The mapping of a stream's controller is another than its
		 * recorders'. */
		if (map && is_ours(map) &&
		    ptl_map_attach(dir, uid, map->id, &map) == 0)
			found |= ptl_takeover_adopt(dir, map, -1, &trid) == 0;
	}
	ptl_sys_close(dir);
	return found;
}
