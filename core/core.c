/* SPDX-License-Identifier: MIT */
/*
 * The life of a traced process, called through the seam (core.h): begin, fork,
 * end.  Exec is in core_exec.c, its threads are in core_thread.c.
 */
#include "core/buffer/counter.h"
#include "core/control/collect.h"
#include "core/control/processes.h"
#include "core/control/shutdown.h"
#include "core/core.h"

#include "core/control/takeover.h"
#include "core/flush/flush.h"
#include "core/flush/thread.h"
#include "core/process/aside.h"
#include "core/process/caller.h"
#include "core/process/children.h"
#include "core/process/fork.h"
#include "core/process/heritage.h"
#include "core/process/guest.h"
#include "core/process/join.h"
#include "core/process/mourn.h"
#include "core/record/announced.h"
#include "core/record/attached.h"
#include "core/record/attached_names.h"
#include "core/record/emit.h"
#include "core/record/fastpath.h"
#include "core/record/owner.h"
#include "core/record/program.h"
#include "core/record/select.h"
#include "core/record/slots.h"
#include "core/record/upcall.h"
#include "core/control/beside.h"
#include "core/shm/registry.h"
#include "core/shm/untraced.h"
#include "core/stream/stream.h"
#include "core/sys/clock.h"
#include "core/sys/coverage.h"
#include "core/sys/syscall.h"
#include "core/sys/usage.h"
#include "core/unwind/cache.h"
#include "core/unwind/unwind.h"

static _Atomic uint32_t ended;

/* Has ptl_core_init() begun?  It need not have done anything yet. */
static bool is_begun(void)
{
	return atomic_load_explicit(&ptl_attached.ready, memory_order_relaxed);
}

/* The streams that the image before an exec created: this image controls them,
 * or they have lost their creator. */
static void after_controller(void)
{
	if (ptl_takeover_own())
		atomic_fetch_or_explicit(&ptl_attached_entry()->flags,
					 PTL_ENTRY_CONTROLS,
					 memory_order_relaxed);
	ptl_collect(ptl_attached.ident.uid);
}

bool ptl_core_init(const char *streams)
{
	bool born;

	/* The child of a fork that we have not seen calls the API. */
	ptl_core_forked();
	/* What failed when the program began may go now. */
	if (atomic_exchange_explicit(&ptl_attached.ready, true,
				     memory_order_relaxed)) {
		ptl_aside_end(false);
		if (!atomic_exchange_explicit(&ptl_attached.failed, 0,
					      memory_order_relaxed))
			return ptl_core_traced();
	}
	ptl_unwind_init();
	atomic_store_explicit(&ptl_attached.failed,
			      ptl_join_init(streams, &born),
			      memory_order_relaxed);
	if (born)
		ptl_fork_born();
	if (atomic_fetch_and_explicit(&ptl_attached_entry()->flags,
				      ~(PTL_ENTRY_CONTROLS | PTL_ENTRY_ENDED),
				      memory_order_relaxed) &
	    PTL_ENTRY_CONTROLS)
		after_controller();
	if (!ptl_core_traced())
		return false;
	if (ptl_core_wants(PTL_EV_PROCESS_EXIT))
		ptl_usage_begin();
	return true;
}

static bool is_privileged;

void ptl_core_privileged(void)
{
	is_privileged = true;
}

void ptl_core_init_names(void)
{
	if (!is_privileged)
		ptl_core_init(NULL);
}

void ptl_core_called(const char *path)
{
	ptl_program_called(path);
}

void ptl_core_late(void)
{
	if (atomic_load_explicit(&ptl_attached.failed, memory_order_relaxed) &&
	    ptl_slots_may_call() && !ptl_aside_is_on() &&
	    (uint32_t)ptl_sys_getpid() == ptl_attached.ident.pid)
		ptl_core_init(NULL);
}

void ptl_core_hide(const void *from, const void *to,
		   uint64_t (*plain)(uint64_t ret))
{
	ptl_unwind_hide(from, to, plain);
}

bool ptl_core_wants_stacks(void)
{
	for (uint64_t left = ptl_attached_active(); left; left &= left - 1) {
		const struct ptl_map *map =
			ptl_attached_map((unsigned int)__builtin_ctzll(left));

		if (map && map->stack_depth)
			return true;
	}
	return false;
}

const char *ptl_core_libunwind(void *(*open)(const char *path, int flags))
{
	return ptl_unwind_load(open);
}

const void *ptl_core_libunwind_code(void)
{
	return ptl_unwind_loaded();
}

bool ptl_core_traced(void)
{
	return ptl_attached_active() != 0;
}

bool ptl_core_is_shared(void)
{
	uint64_t active = ptl_attached_active();

	return (active & (active - 1)) != 0;
}

void ptl_core_settle(void)
{
	for (uint64_t left = ptl_attached_active(); left; left &= left - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(left);
		struct ptl_map *map = ptl_attached_map(i);

		if (map && ptl_map_state(map) & PTL_STATE_DEAD)
			ptl_attached_drop(i, map);
	}
}

bool ptl_core_wants(enum ptl_sysevent id)
{
	uint64_t active = ptl_attached_active();

	return active && ptl_emit_wanted(active, id);
}

static const void *beside(enum ptl_shm_beside what, size_t *size)
{
	const void *bytes = NULL;

	for (uint64_t left = ptl_attached_active(); left && !bytes;
	     left &= left - 1) {
		const struct ptl_map *map =
			ptl_attached_map((unsigned int)__builtin_ctzll(left));

		if (map)
			bytes = ptl_beside_attach(map, what, size);
	}
	return bytes;
}

const char *ptl_core_prototypes(size_t *size)
{
	return beside(PTL_SHM_PROTOTYPES, size);
}

const void *ptl_core_patches(size_t *size)
{
	return beside(PTL_SHM_PATCHES, size);
}

void ptl_core_call_limits(struct ptl_core_limits *limits)
{
	*limits = (struct ptl_core_limits){0};
	for (uint64_t left = ptl_attached_active(); left; left &= left - 1) {
		const struct ptl_map *map =
			ptl_attached_map((unsigned int)__builtin_ctzll(left));

		if (!map)
			continue;
		limits->ticks = atomic_load_explicit(&map->head->call_ticks,
						     memory_order_relaxed);
		limits->depth = atomic_load_explicit(&map->head->call_depth,
						     memory_order_relaxed);
		if (atomic_load_explicit(&map->head->call_sums,
					 memory_order_relaxed))
			limits->depth = PTL_CORE_SUMS;
		limits->clock = map->clock;
		if (limits->ticks || limits->depth)
			return;
	}
}

void ptl_core_event(enum ptl_sysevent id, const void *data, size_t size,
		    const void *addr)
{
	uint64_t active = ptl_attached_active();

	if (active)
		ptl_emit(id, data, size, addr, active);
}

size_t ptl_core_event_most(void)
{
	size_t most = SIZE_MAX;

	for (uint64_t left = ptl_attached_active(); left; left &= left - 1) {
		const struct ptl_map *map =
			ptl_attached_map((unsigned int)__builtin_ctzll(left));

		if (map && map->max_data < most)
			most = map->max_data;
	}
	return most;
}

bool ptl_core_wants_call(enum ptl_sysevent id)
{
	uint64_t active = ptl_attached_active();

	return PTL_UNLIKELY(active) && ptl_fastpath_for_calls(active, id);
}

uint64_t ptl_core_call_begins(enum ptl_sysevent id)
{
	if (!ptl_core_wants_call(id))
		return 0;
	if (PTL_UNLIKELY(ptl_thread.slot->attention))
		ptl_fork_announce();
	return ptl_core_call_time();
}

/* As ptl_emit(), so that it is reached by a jump. */
static PTL_COLD void emit_selected(uint32_t id, const void *data, size_t size,
				   const void *addr, uint64_t active)
{
	active = ptl_select(active, id, data, size);
	if (active)
		ptl_emit(id, data, size, addr, active);
}

void ptl_core_call(enum ptl_sysevent id, void *data, size_t size,
		   const void *addr)
{
	uint64_t active = ptl_attached_active();

	if (active)
		active = ptl_fastpath_for_calls(active, id);
	if (!active)
		return;
	if (ptl_attached_selects())
		emit_selected(id, data, size, addr, active);
	else
		ptl_emit(id, data, size, addr, active);
}

void ptl_core_forked(void)
{
	/* Where we may not ask the kernel we stay unknown; so does a child that
	 * begins as an outsider. */
	if (!ptl_slots_forked() || !ptl_slots_may_call() || ptl_outsider())
		return;
	ptl_fork_child();
}

uint32_t ptl_core_expect(bool child, const void *addr)
{
	if (ptl_outsider())
		return 0;
	ptl_core_forked();
	if (child)
		ptl_fork_comes(addr);
	if (!ptl_attached_active())
		return 0;
	ptl_children_expect(child);
	return child ? ptl_children_joined() : 0;
}

static_assert(sizeof(struct ptl_heritage) <= sizeof(struct ptl_core_copy),
	      "room for it");

void ptl_core_copying(struct ptl_core_copy *copy, const void *addr)
{
	struct ptl_heritage *heritage = (struct ptl_heritage *)copy;
	uint32_t since = ptl_core_expect(true, addr);

	ptl_fork_copying(heritage);
	heritage->since = since;
}

void ptl_core_copied(struct ptl_core_copy *copy, int pid)
{
	const struct ptl_heritage *heritage = (struct ptl_heritage *)copy;

	ptl_fork_copied(heritage, pid > 0 ? (uint32_t)pid : 0);
	if (pid < 0)
		ptl_core_expect(false, NULL);
	else if (ptl_attached_active() && ptl_slots_may_call())
		ptl_children_made((uint32_t)pid, heritage->since, NULL, NULL);
}

void ptl_core_vfork(bool parent_waits, const void *addr)
{
	struct ptl_slot *slot;

	if (ptl_outsider())
		return;
	ptl_core_forked();
	ptl_fork_comes(addr);
	slot = ptl_slot_mine();
	if (!slot)
		return;
	slot->executes = NULL;
	slot->vforks = addr;
	/* The last one has gone, and in a namespace of its own the next can
	 * have its number. */
	if (parent_waits)
		atomic_store_explicit(&slot->announced.pid, 0,
				      memory_order_relaxed);
	slot->attention |=
		parent_waits ? PTL_ATTENTION_VFORK : PTL_ATTENTION_CLONE;
	if (slot->attention & PTL_ATTENTION_CLONE && ptl_slots_may_call())
		ptl_announced_sweep();
	slot->busy = 0;
}

bool ptl_core_in_vfork_child(void)
{
	const struct ptl_slot *slot;

	/* Where it cannot be asked, yes is the harmless answer: an end that is
	 * not recorded is found by others. */
	if (ptl_outsider())
		return true;
	slot = ptl_thread.slot;
	return slot->attention &&
	       (!ptl_slots_may_call() ||
		ptl_slots_is_child(slot, (uint32_t)ptl_sys_getpid()));
}

uint32_t ptl_core_beside(void)
{
	const struct ptl_slot *slot = ptl_outsider() ? NULL : ptl_thread.slot;

	if (PTL_LIKELY(!slot || !(slot->attention & PTL_ATTENTION_CLONE)))
		return 0;
	if (!ptl_slots_may_call())
		return PTL_BESIDE_UNKNOWN;
	if (!ptl_slots_is_child(slot, (uint32_t)ptl_sys_getpid()))
		return 0;
	return (uint32_t)ptl_sys_gettid();
}

void ptl_core_untraced(const char *path, const char *reason, bool new_process)
{
	const struct ptl_shm_entry *entry = ptl_attached_entry();
	bool stays = !new_process && !ptl_core_in_vfork_child();

	for (uint64_t left = ptl_attached_active(); left; left &= left - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(left);
		struct ptl_map *map = ptl_attached_map(i);

		if (map &&
		    (stays || ptl_ref_inherited(atomic_load_explicit(
				      &entry->refs[i], memory_order_relaxed))))
			ptl_untraced_add(map, path, reason);
		if (map && stays)
			ptl_program_ends(map);
	}
}

static void shut_down_all(void)
{
	struct ptl_stream *stream;

	while ((stream = ptl_stream_take_any()) != NULL)
		ptl_shutdown(stream, NULL);
}

/* Records the end.  False: others must, in some stream at least; the entry says
 * in which it is done. */
static bool tell_end(int status)
{
	struct {
		int64_t status;
		struct ptl_usage usage;
	} data = {.status = status};
	struct ptl_shm_entry *entry = ptl_attached_entry();
	uint64_t active = ptl_attached_active(), unmapped;

	/* A thread without a clock leaves it to other processes. */
	if (ptl_thread.no_counter)
		return false;
	unmapped = active ? ptl_attached_unmapped() : 0;
	active &= ~unmapped;
	if (active && ptl_slots_may_call() &&
	    ptl_emit_wanted(active, PTL_EV_PROCESS_EXIT))
		data.usage = ptl_usage_self();
	if (active)
		ptl_emit(PTL_EV_PROCESS_EXIT, &data,
			 sizeof(data.status) + data.usage.known, NULL, active);
	if (unmapped)
		atomic_fetch_or_explicit(&entry->mourned, active,
					 memory_order_relaxed);
	return !unmapped;
}

void ptl_core_exit(int status)
{
	int64_t value = status & 0xff;
	bool controls, told;

	if (ptl_outsider())
		return;
	if (ptl_core_in_vfork_child()) {
		ptl_core_event(PTL_EV_PROCESS_EXIT, &value, sizeof(value),
			       NULL);
		if (ptl_slots_may_call())
			ptl_fork_vfork_ends();
		return;
	}
	/* The child of a fork that we have not seen; where we may not ask the
	 * kernel all that is here is its parent's. */
	ptl_core_forked();
	/* With the pid, for a child that was made since starts anew. */
	if (!is_begun() || ptl_slots_forked() ||
	    atomic_exchange_explicit(&ended, ptl_attached.ident.pid,
				     memory_order_relaxed) ==
		    ptl_attached.ident.pid)
		return;
	/* Nobody else would complete its log. */
	if (ptl_registry_says(ptl_attached_entry(), PTL_ENTRY_CONTROLS))
		ptl_aside_end(true);
	told = tell_end(status & 0xff);
	if (told)
		ptl_guest_ended();
	/* There other processes record our end. */
	if (ptl_aside_misses())
		return;
	/* After it: if we are killed before, other processes record that. */
	controls = atomic_fetch_or_explicit(&ptl_attached_entry()->flags,
					    told ? PTL_ENTRY_ENDED : 0,
					    memory_order_relaxed) &
		   PTL_ENTRY_CONTROLS;
	if (controls && ptl_slots_may_call())
		shut_down_all();
	ptl_emit_release();
	if (told)
		ptl_attached_forget();
	if (controls && ptl_slots_may_call())
		ptl_collect(ptl_attached.ident.uid);
	if (ptl_slots_may_call())
		ptl_coverage_save();
}

void ptl_core_made(int pid, uint32_t since, const char *path, const void *addr)
{
	struct ptl_shm_parent parent;

	if (pid <= 0 || !ptl_attached_active() || !ptl_slots_may_call())
		return;
	parent = ptl_caller_parent(ptl_attached_entry(), addr);
	ptl_children_made((uint32_t)pid, since, path, &parent);
	ptl_fork_made((uint32_t)pid);
}

void ptl_core_made_untraced(int pid)
{
	if (pid > 0 && ptl_attached_active())
		ptl_fork_made_untraced((uint32_t)pid);
}

void ptl_core_waited(uint32_t since)
{
	/* If any has joined it is taken for that one. */
	if (ptl_attached_active() && ptl_slots_may_call() &&
	    ptl_children_joined() == since)
		ptl_children_expect(false);
}

/* The child of a vfork has no children that it could reap: it is the parent. */
static void vfork_is_over(void)
{
	struct ptl_slot *slot = ptl_slot_mine();

	if (!slot)
		return;
	slot->attention &= ~PTL_ATTENTION_VFORK;
	if (!slot->attention && slot->busy == 0)
		slot->busy = PTL_SLOT_IDLE;
}

void ptl_core_reaped(int pid, int status, const struct rusage *usage)
{
	struct ptl_end end = {status, ptl_usage_child(usage)};
	struct ptl_shm_ident ident = ptl_attached.ident;
	enum ptl_came came = PTL_CAME_PERHAPS;
	struct ptl_child child = {.called = 0};

	if (PTL_UNLIKELY(ptl_sys_door == PTL_DOOR_SHUT))
		vfork_is_over();
	/* A thread without a clock leaves it to other processes. */
	if (!is_begun() || !ptl_slots_may_call() || pid <= 0 ||
	    ptl_outsider() || ptl_thread.no_counter)
		return;
	ptl_core_forked();
	ident.pid = (uint32_t)pid;
	if (ptl_attached_active())
		came = ptl_children_came_of(ident.pid, &child);
	if (came == PTL_CAME_NEVER && !ptl_children_crossed(&ident))
		ptl_mourn_unseen(&child.parent, child.called, &ident,
				 child.path, &end);
	else
		ptl_fork_reaped(&ident, &end);
	ptl_children_reaped(&ident);
	ptl_guest_reaped(&ident, &end);
	ptl_processes_ended(&ident, &end, came == PTL_CAME_ELSEWHERE);
}

void ptl_core_single_threaded(const char *word)
{
	if (word)
		ptl_single_threaded = word;
}

void ptl_core_unloaded(void)
{
	ptl_rows_forget();
}

void ptl_core_set_thread_create(int (*create)(pthread_t *,
					      const pthread_attr_t *,
					      void *(*)(void *), void *))
{
	ptl_flush_thread_create = create;
}

void ptl_core_set_thread_count(const unsigned int *count)
{
	ptl_flush_thread_count = count;
}
