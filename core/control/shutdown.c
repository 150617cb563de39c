/* SPDX-License-Identifier: MIT */
/*
 * Ending a stream.  The steps are the same for a controller that shuts down and
 * for a process that recovers the stream of a dead one: stop recording, write
 * what is committed into the log, complete the log, remove the segment.  Each
 * can be done again by another process if the first one dies.
 */
#include "core/control/shutdown.h"

#include "core/buffer/chunk.h"
#include "core/control/processes.h"
#include "core/control/run.h"
#include "core/flush/flush.h"
#include "core/flush/thread.h"
#include "core/flush/totals.h"
#include "core/record/attached.h"
#include "core/record/emit.h"
#include "core/shm/bridge.h"
#include "core/control/beside.h"
#include "core/shm/registry.h"
#include "core/shm/segment.h"
#include "core/shm/select.h"
#include "core/shm/untraced.h"
#include "core/stream/bridges.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"
#include "core/sys/wait.h"

#include <string.h>

/* How long to wait for records that are being written, in ms. */
#define PATIENCE_MS 50

/* Of a filter's first word: the standard's own events, of the stream itself. */
#define OWN_EVENTS UINT64_C(0xffff)

/* Is a thread between reserving and committing a record, or about to count what
 * is lost? */
static bool writing(struct ptl_stream *stream)
{
	for (uint32_t n = 0; n < stream->nr_chunks; n++) {
		struct ptl_cursor cursor = {0};
		uint32_t i;
		struct ptl_map *map = ptl_stream_chunk(stream, n, &i);
		struct ptl_record rec;
		enum ptl_peek peek;

		if (!map)
			continue;
		while ((peek = ptl_cursor_peek(map, i, &cursor,
					       PTL_PATIENCE_ORDER, &rec)) ==
			       PTL_PEEK_EVENT &&
		       ptl_cursor_goes_on(&cursor, 0))
			ptl_cursor_step(&cursor, &rec);
		if (peek == PTL_PEEK_LOSING || peek == PTL_PEEK_PENDING)
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

int ptl_shutdown_complete_log(struct ptl_stream *stream,
			      struct ptl_log_end *end)
{
	struct ptl_untraced untraced;
	int err;

	ptl_bridges_settle(stream);
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
	ptl_log_cut_short(
		&stream->log.writer, end,
		atomic_load_explicit(&untraced.count, memory_order_relaxed));
	return err;
}

void ptl_shutdown_remove(int dir, struct ptl_map *map)
{
	char name[PTL_SHM_NAME];

	/* Processes that idle keep the mapping: give its pages back, but for
	 * chunks a thread may be writing to at this moment. */
	for (uint32_t i = 0; i < ptl_map_present(map); i++) {
		uint64_t own = atomic_load_explicit(&map->table[i].own,
						    memory_order_relaxed);

		if (ptl_own_state(own) != PTL_CHUNK_OPEN &&
		    !ptl_own_pinned(own))
			ptl_sys_madvise(ptl_map_chunk(map, i), map->chunk_size,
					MADV_REMOVE);
	}
	/* First: they are found by the segment. */
	ptl_bridge_remove_all(map);
	ptl_beside_remove(dir, map);
	ptl_segment_name_stream(name, map->id);
	ptl_sys_unlink(dir, name);
}

void ptl_shutdown_dead(struct ptl_map *map)
{
	uint64_t filter[PTL_FILTER_WORDS], marks;

	/* Pairs with record() in emit.c. */
	atomic_fetch_or_explicit(&map->head->state, PTL_STATE_DEAD,
				 memory_order_seq_cst);
	/* Who has it mapped learns of its end by the next event: also where it
	 * would have recorded none, but the next stream, in its place, will.
	 * What the last flush says of the stream itself is filtered as before.
	 */
	ptl_map_filter(map, filter);
	marks = filter[0] & OWN_EVENTS;
	memset(filter, 0, sizeof(filter));
	filter[0] = marks;
	ptl_map_set_filter(map, filter);
	/* Pairs with ptl_selects(). */
	if (ptl_selects(map) != 0)
		atomic_store_explicit(&map->head->select.what, 0,
				      memory_order_release);
	ptl_bridge_mirror(map);
	ptl_sys_membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED);
	ptl_wait_wake(&map->head->sleeper);
}

/* This process traced itself: lets go of its own part in the stream. */
static void leave(const struct ptl_map *map)
{
	struct ptl_shm_entry *entry = ptl_attached_entry();
	int ref;

	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++) {
		/* Pairs with ptl_attached_install(). */
		struct ptl_map *own = atomic_load_explicit(
			&ptl_attached.map[i], memory_order_acquire);

		if (own && own->id == map->id) {
			ptl_emit_leave(i);
			ptl_attached_drop(i, own);
			ptl_attached_reap();
		}
	}
	/* One that was never mapped. */
	ref = ptl_registry_index(entry, map->id);
	if (ref >= 0)
		ptl_registry_drop(entry, (unsigned int)ref, map->id);
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
	info->log_size = stream->log.writer.end;
	info->log_state = stream->kind != PTL_STREAM_LOGGED ?
				  POSIX_TRACE_LOG_NONE_NP :
			  err ? POSIX_TRACE_LOG_INCOMPLETE_NP :
			  stream->log.writer.cut ? POSIX_TRACE_LOG_DAMAGED_NP :
						   POSIX_TRACE_LOG_COMPLETE_NP;
	ptl_strcopy(info->clock, sizeof(info->clock),
		    head->clock == PTL_CLOCK_TSC ? "tsc" : "monotonic");
}

int ptl_shutdown(struct ptl_stream *stream, struct posix_trace_info_np *info)
{
	struct ptl_map *map = stream->map;
	uint32_t uid = map->uid;
	struct ptl_log_end end;
	int dir, err = 0;

	ptl_flush_thread_stop(stream);
	ptl_bridges_settle(stream);
	ptl_processes_live(uid, map->id);
	/* Before STOP, which is to be the last event. */
	ptl_flush_settle(stream);
	ptl_run_stop(stream);
	ptl_shutdown_dead(map);
	if (stream->kind == PTL_STREAM_LOGGED)
		err = ptl_shutdown_complete_log(stream, &end);
	else
		ptl_totals_last(stream, &end);
	if (err)
		/* Pairs with status_of() in recover.c. */
		atomic_fetch_or_explicit(&map->log->log_status,
					 PTL_LOG_ABANDONED,
					 memory_order_release);
	leave(map);
	ptl_processes_unname(uid, map->id);
	if (info)
		fill_info(stream, &end, err, info);
	dir = ptl_rundir_open(uid, false);
	if (dir >= 0) {
		/* What went through a pipe cannot be completed. */
		if (!err || !stream->log.writer.seekable)
			ptl_shutdown_remove(dir, map);
		ptl_sys_close(dir);
	}
	ptl_stream_free(stream);
	return err;
}
