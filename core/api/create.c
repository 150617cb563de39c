/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_create, _create_withlog, _shutdown: a stream's life.
 */
#include "core/api/pid.h"
#include "core/buffer/timeline.h"
#include "core/control/collect.h"
#include "core/control/processes.h"
#include "core/control/shutdown.h"
#include "core/core.h"
#include "core/flush/flush.h"
#include "core/flush/thread.h"
#include "core/process/leave.h"
#include "core/record/attached.h"
#include "core/shm/allproc.h"
#include "core/shm/controller.h"
#include "core/shm/family.h"
#include "core/shm/life.h"
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

/* So often may the process that is to be traced get another entry, or execute a
 * program, while we name the stream. */
#define MOVES 100

/* The process to trace, and its entry, which may have to be made; or, if `all',
 * every process, and the common entry. */
struct target {
	bool all;
	struct ptl_shm_ident ident;
	struct ptl_registry registry;
	struct ptl_shm_entry *entry;
	uint64_t key;
	int dir;
};

/*
 * A child just forked may not have come to claim its entry: then it has the
 * names of its nearest ancestor, as it would say itself.
 */
static void inherit_names(const struct target *target, int pid,
			  struct ptl_shm_entry *start)
{
	const struct ptl_shm_entry *entry;
	struct ptl_shm_ident ident;
	uint64_t key;

	for (unsigned int depth = 0; depth < 64; depth++) {
		pid = ptl_proc_parent(pid);
		if (pid <= 0 || ptl_ident_of(pid, &ident) != 0)
			return;
		entry = ptl_life_find(&target->registry, target->dir, &ident,
				      &key);
		if (!entry)
			continue;
		atomic_init(&start->names,
			    atomic_load_explicit(&entry->names,
						 memory_order_relaxed));
		return;
	}
}

/* The registry of the process's user. */
static int open_target(struct target *target)
{
	int err;

	target->dir = ptl_rundir_make(target->ident.uid);
	if (target->dir < 0)
		return -target->dir;
	err = ptl_registry_open(target->dir, target->ident.uid, true,
				&target->registry);
	if (err)
		ptl_sys_close(target->dir);
	return err;
}

static void put_target(struct target *target)
{
	ptl_registry_close(&target->registry);
	ptl_sys_close(target->dir);
}

/* Every process of the caller's effective user. */
static int find_everyone(struct target *target)
{
	uint64_t none = 0,
		 own = atomic_load_explicit(&ptl_attached_entry()->names,
					    memory_order_relaxed);
	int err;

	target->all = true;
	target->ident = ptl_attached.ident;
	target->ident.uid = (uint32_t)ptl_sys_geteuid();
	err = open_target(target);
	if (err)
		return err;
	target->entry = &target->registry.shm->common;
	/* The caller at least is no stranger there. */
	if (own && target->ident.uid == ptl_attached.ident.uid)
		atomic_compare_exchange_strong_explicit(
			&target->entry->names, &none, own, memory_order_relaxed,
			memory_order_relaxed);
	return 0;
}

/* The caller's own, which it knows without a search among namesakes; NULL: it
 * is another process, or has none there. */
static struct ptl_shm_entry *own_entry(struct target *target)
{
	const struct ptl_registry *reg = &ptl_attached.registry;
	const struct ptl_shm_entry *own = ptl_attached_entry();

	if (own == &ptl_no_entry || ptl_attached_is_unlisted() ||
	    target->ident.pid != ptl_attached.ident.pid ||
	    target->ident.pidns != ptl_attached.ident.pidns ||
	    !ptl_registry_is_same(reg, &target->registry))
		return NULL;
	return ptl_registry_listed(&target->registry, ptl_registry_at(reg, own),
				   target->ident.pid, &target->key);
}

/* Twice: while we looked it may have come to another, where we had looked
 * already, and given that back to which we had not come yet. */
static void find_entry(struct target *target)
{
	target->entry = own_entry(target);
	for (unsigned int n = 0; n < 2 && !target->entry; n++)
		target->entry = ptl_life_find(&target->registry, target->dir,
					      &target->ident, &target->key);
}

/*
 * The entry of a process, made if it has none: it has not started the library,
 * or not come to its entry yet.  It looks for this one after it has claimed its
 * own, and we for its own after this.
 */
static int await(struct target *target, int pid)
{
	struct ptl_shm_entry start, *entry;
	uint64_t key;

	find_entry(target);
	if (target->entry)
		return 0;
	memset(&start, 0, sizeof(start));
	inherit_names(target, pid, &start);
	start.ident = target->ident;
	entry = ptl_registry_claim(&target->registry, NULL, &start,
				   ptl_attached_life(&target->registry),
				   PTL_KEY_AWAITED);
	if (!entry)
		return ENOMEM;
	key = atomic_load_explicit(ptl_registry_key(&target->registry, entry),
				   memory_order_relaxed);
	/* Pairs with take_awaited(). */
	atomic_thread_fence(memory_order_seq_cst);
	find_entry(target);
	if (target->entry != entry)
		ptl_registry_free(&target->registry, entry, key);
	/* It has ended. */
	return target->entry ? 0 : ESRCH;
}

static int find_target(pid_t pid, struct target *target)
{
	int err;

	if (pid == POSIX_TRACE_ALLPROC)
		return find_everyone(target);
	target->all = false;
	if (pid == 0)
		pid = ptl_sys_getpid();
	if (pid < 0)
		return ESRCH;
	err = ptl_proc_permission(pid);
	if (!err)
		err = ptl_ident_of(pid, &target->ident);
	if (err)
		return err;
	err = open_target(target);
	if (err)
		return err == ENOENT ? EPERM : err;
	err = await(target, pid);
	if (err)
		put_target(target);
	return err;
}

/* References to streams that are no more give way to new ones. */
static void drop_dead_refs(const struct target *target)
{
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++) {
		uint64_t ref = atomic_load_explicit(&target->entry->refs[i],
						    memory_order_relaxed);
		struct ptl_map *map;
		int err;

		if (!ref)
			continue;
		err = ptl_map_attach(target->dir, target->ident.uid,
				     ptl_ref_stream(ref), &map);
		if (err == 0)
			ptl_map_detach(map);
		else if (ptl_segment_is_gone(err))
			ptl_registry_drop(target->entry, i,
					  ptl_ref_stream(ref));
	}
}

/* Its process has claimed another entry in place of the one that we made: there
 * it has what it found in ours.  Pairs with take_awaited(). */
static bool has_moved(const struct target *target)
{
	return atomic_load_explicit(
		       ptl_registry_key(&target->registry, target->entry),
		       memory_order_seq_cst) != target->key;
}

static int add(const struct target *target, const struct ptl_map *map)
{
	uint64_t ref = ptl_ref(map->id, map->head->attr.inherited ==
						POSIX_TRACE_INHERITED);

	if (ptl_registry_index(target->entry, map->id) >= 0 ||
	    ptl_registry_add(target->entry, ref, false,
			     map->head->attr.calls) >= 0)
		return 0;
	drop_dead_refs(target);
	return ptl_registry_add(target->entry, ref, false,
				map->head->attr.calls) >= 0 ?
		       0 :
		       EAGAIN;
}

/* The entry that was given back meanwhile may be any process's by now. */
static void take_back(struct ptl_shm_entry *entry, uint64_t stream)
{
	int i = ptl_registry_index(entry, stream);

	if (i >= 0)
		ptl_registry_drop(entry, (unsigned int)i, stream);
}

static int name_stream(struct target *target, struct ptl_map *map)
{
	struct ptl_shm_entry *before;
	int err;

	if (target->all)
		return ptl_allproc_name(&target->registry, map);
	for (unsigned int tries = 0; tries < MOVES; tries++) {
		err = add(target, map);
		if (err || !has_moved(target))
			return err;
		/* Exec changes the key, too, and not the entry; and if the
		 * process has ended it has nothing to trace. */
		before = target->entry;
		find_entry(target);
		if (target->entry != before)
			take_back(before, map->id);
		if (!target->entry)
			return ESRCH;
	}
	return EAGAIN;
}

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
static int names_of(struct ptl_stream *stream, struct target *target,
		    const struct ptl_shm_ident *maker)
{
	int err;

	for (unsigned int tries = 0; tries < MOVES; tries++) {
		err = ptl_family_names(target->dir, maker,
				       &target->entry->names, &stream->names);
		if (err || target->all || !has_moved(target))
			return err;
		ptl_sys_munmap(stream->names, sizeof(*stream->names));
		stream->names = NULL;
		find_entry(target);
		if (!target->entry)
			return ESRCH;
	}
	return EAGAIN;
}

/* The segment and what belongs to it, for a target. */
static int make_segment(struct ptl_stream *stream, struct target *target,
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

static void unmake_segment(const struct target *target,
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

static int build(struct ptl_stream *stream, struct target *target,
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
		err = name_stream(target, stream->map);
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
	struct stat st;
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
	struct target target;
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
		err = find_target(pid, &target);
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
	err = build(stream, &target, &shm, fd, trid);
	if (err)
		ptl_stream_free(stream);
	else
		atomic_fetch_or_explicit(&ptl_attached_entry()->flags,
					 PTL_ENTRY_CONTROLS,
					 memory_order_relaxed);
out:
	put_target(&target);
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
