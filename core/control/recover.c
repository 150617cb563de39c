/* SPDX-License-Identifier: MIT */
/*
 * Ending the stream of a controller that is gone, as shutdown.c would have: by
 * the process that comes first, and if that one dies, by the next.
 */
#include "core/control/recover.h"

#include "core/format/logfile.h"
#include "core/control/processes.h"
#include "core/control/shutdown.h"
#include "core/control/takeover.h"
#include "core/record/stop.h"
#include "core/shm/bridge.h"
#include "core/shm/controller.h"
#include "core/shm/registry.h"
#include "core/shm/segment.h"
#include "core/shm/untraced.h"
#include "core/sys/clock.h"
#include "core/sys/ident.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include <sys/file.h>

/* How long the stream of a log without a name is kept, in ns; and of a log that
 * is another user's, who may have it open or open it later. */
#define UNCLAIMED_NS UINT64_C(60000000000)
#define FOREIGN_NS (60 * UNCLAIMED_NS)

/* Of an abandoned stream all is there.  Pairs with ptl_shutdown(). */
static uint32_t status_of(const struct ptl_map *map)
{
	return atomic_load_explicit(&map->log->log_status,
				    memory_order_acquire);
}

/* Dead, gone on to another program without shutting its streams down, or done
 * with this one. */
static bool controller_gone(int dir, const struct ptl_shm_head *head,
			    uint32_t status)
{
	return status & PTL_LOG_ABANDONED || ptl_controller_gone(dir, head);
}

bool ptl_recover_controller_lives(int dir, uint32_t uid, uint64_t id)
{
	struct ptl_shm_head head;
	struct ptl_shm_log log;
	char name[PTL_SHM_NAME];

	ptl_segment_name_stream(name, id);
	return ptl_segment_peek(dir, name, PTL_SHM_MAGIC_STREAM, uid, 0, &head,
				sizeof(head)) == 0 &&
	       ptl_segment_peek(dir, name, PTL_SHM_MAGIC_STREAM, uid,
				head.log_off, &log, sizeof(log)) == 0 &&
	       head.prefix.id == id &&
	       !controller_gone(dir, &head,
				atomic_load_explicit(&log.log_status,
						     memory_order_relaxed));
}

/* The creator was in a program that had not started us when it ended. */
static void tell_untraced(int dir, struct ptl_map *map)
{
	const struct ptl_shm_ident *creator = &map->head->creator;
	const struct ptl_shm_entry *entry;
	char program[PTL_ENTRY_PROGRAM];
	struct ptl_registry reg;
	uint32_t at = 0;
	uint64_t key;

	if (ptl_ident_life(creator, NULL) == PTL_LIFE_ALIVE ||
	    ptl_registry_open(dir, map->uid, false, &reg) != 0)
		return;
	while ((entry = ptl_registry_next_of(&reg, creator->pid, &at, &key)) !=
	       NULL) {
		ptl_strcopy(program, sizeof(program), entry->program);
		if (entry->ident.pidns == creator->pidns &&
		    entry->ident.born == creator->born && program[0])
			ptl_untraced_add(
				map, program,
				ptl_untraced_why(
					ptl_registry_says(entry,
							  PTL_ENTRY_FILTERED),
					-1));
	}
	ptl_registry_close(&reg);
}

/* What cannot be seen from here may be looked after by one who sees it; and if
 * nobody does, it is lost with its namespace. */
static bool waits_for_bridges(struct ptl_map *map)
{
	unsigned int hidden = ptl_bridge_hidden(map);
	uint64_t now = ptl_boottime();

	if (!hidden)
		return false;
	if (map->log->gone_since == 0)
		map->log->gone_since = now;
	if (now - map->log->gone_since < UNCLAIMED_NS)
		return true;
	while (hidden-- > 0)
		ptl_untraced_add(map, "processes of a bridge",
				 "lost with their IPC namespace");
	return false;
}

static int recover_log(int dir, struct ptl_map *map, int fd)
{
	struct ptl_stream *stream;
	struct ptl_log_end end;
	int err = ptl_stream_new(PTL_STREAM_LOGGED, &stream);

	if (err)
		return err;
	err = ptl_takeover(stream, dir, map, fd);
	if (!err) {
		tell_untraced(dir, map);
		err = ptl_shutdown_complete_log(stream, &end);
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
 * while a process that has it open may still come; an error of a copy says
 * nothing about the log itself.
 */
static bool is_lost(struct ptl_map *map, int err)
{
	uint64_t now = ptl_boottime(), patience = UNCLAIMED_NS;

	if (err == EACCES && map->head->creator.uid != map->uid)
		patience = FOREIGN_NS;
	else if (err != ENOENT && err != ESTALE && err != EINVAL)
		return false;
	if (status_of(map) & PTL_LOG_COMPLETE)
		return true;
	if (map->log->gone_since == 0)
		map->log->gone_since = now;
	return now - map->log->gone_since >= patience;
}

int ptl_recover_copy(int dir, uint32_t uid, uint64_t id, int fd)
{
	struct ptl_map *map;
	struct ptl_kstat st;
	int err = ptl_map_copy(dir, uid, id, &map);

	if (err)
		return err;
	if (!controller_gone(dir, map->head, status_of(map))) {
		err = EBUSY;
	} else if (!map->log->has_log || ptl_sys_fstat(fd, &st) != 0) {
		err = EINVAL;
	} else {
		map->log->dev = st.st_dev;
		map->log->ino = st.st_ino;
		ptl_stop(map, NULL);
		err = recover_log(dir, map, fd);
	}
	ptl_map_detach(map);
	return err;
}

/* Is it for us to end it?  For the next controller itself also if that has a
 * guardian. */
static bool is_due(int dir, const struct ptl_map *map, bool guarded)
{
	return controller_gone(dir, map->head, status_of(map)) ||
	       (guarded && ptl_controller_is_due(dir, map->head));
}

static int recover(int dir, uint32_t uid, uint64_t id, int fd, bool guarded)
{
	char name[PTL_SHM_NAME];
	struct ptl_map *map;
	unsigned int left;
	struct ptl_kstat st;
	int lock, err;

	ptl_segment_name_stream(name, id);
	err = ptl_map_attach(dir, uid, id, &map);
	if (err)
		return err;
	if (!is_due(dir, map, guarded)) {
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
	/* The process that had the lock before may have done it, or be the
	 * controller now: an image after an exec. */
	if (ptl_sys(SYS_newfstatat, lock, "", &st, AT_EMPTY_PATH) != 0 ||
	    st.st_nlink == 0) {
		err = ENOENT;
		goto out_close;
	}
	if (!is_due(dir, map, guarded)) {
		err = EBUSY;
		goto out_close;
	}
	if (waits_for_bridges(map)) {
		err = EAGAIN;
		goto out_close;
	}
	/* No process records into it any more, whatever becomes of the log. */
	ptl_processes_live(uid, id);
	/* Of those that were missing for the first time, too: nobody who reaps
	 * them can tell it any more. */
	left = ptl_processes_live(uid, id);
	map->log->left = guarded ? 0 : 1 + (uint64_t)left;
	ptl_stop(map, NULL);
	ptl_shutdown_dead(map);
	if (map->log->has_log)
		err = recover_log(dir, map, fd);
	ptl_processes_unname(uid, id);
	if (err == 0 || (fd < 0 && is_lost(map, err)))
		ptl_shutdown_remove(dir, map);
out_close:
	ptl_sys_close(lock);
out_detach:
	ptl_map_detach(map);
	return err;
}

int ptl_recover(int dir, uint32_t uid, uint64_t id, int fd)
{
	return recover(dir, uid, id, fd, false);
}

int ptl_recover_guarded(int dir, uint32_t uid, uint64_t id, int fd)
{
	return recover(dir, uid, id, fd, true);
}
