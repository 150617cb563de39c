/* SPDX-License-Identifier: MIT */
/*
 * What a process does before it executes a program, or starts one in another
 * process, called through the seam (core.h).
 */
#include "core/core.h"

#include "core/control/takeover.h"
#include "core/process/children.h"
#include "core/process/fork.h"
#include "core/process/guest.h"
#include "core/process/token.h"
#include "core/process/vfork.h"
#include "core/record/announced.h"
#include "core/record/attached.h"
#include "core/record/emit.h"
#include "core/record/slots.h"
#include "core/shm/registry.h"
#include "core/stream/stream.h"
#include "core/sys/away.h"
#include "core/sys/coverage.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

void ptl_core_begun(void)
{
	/* We are among the libraries, at the upper end. */
	ptl_away_begin((uintptr_t)&ptl_away_end);
}

void ptl_core_keep(trace_id_t trid)
{
	struct ptl_stream *stream = ptl_stream_get(trid, PTL_STREAM_LOGGED);

	if (!stream)
		return;
	stream->map->head->creator_image = PTL_IMAGE_ANY;
	ptl_stream_put(stream);
}

/* `@ID', if it is a bridge that leads to it. */
static size_t put_bridge(char *to, unsigned int i)
{
	int32_t id = ptl_guest_bridge(i);

	if (id < 0)
		return 0;
	*to = PTL_STREAMS_BRIDGE;
	return 1 + ptl_utoa(to + 1, (uint64_t)id, 10);
}

/* Where it cannot be asked it is the last one. */
static uint32_t child_pid(void)
{
	if (ptl_slots_may_call())
		return (uint32_t)ptl_sys_getpid();
	return atomic_load_explicit(&ptl_thread.slot->announced.pid,
				    memory_order_relaxed);
}

/* 0: it has not been announced, and what it executes will say so. */
static uint32_t announced_pid(void)
{
	uint32_t pid = child_pid();

	return ptl_announced_find(ptl_thread.slot, pid) ? pid : 0;
}

/* Who will read it. */
static size_t put_token(char *buf, enum ptl_core_launch launch)
{
	if (launch == PTL_CORE_SPAWNS)
		return ptl_token_spawn(buf);
	return ptl_token_exec(buf, ptl_core_in_vfork_child() ?
					   announced_pid() :
					   ptl_attached.ident.pid);
}

size_t ptl_core_streams(char *buf, size_t size, enum ptl_core_launch launch,
			bool bridged)
{
	struct ptl_shm_entry *entry = ptl_attached_entry();
	size_t length = 0;

	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++) {
		/* The names are there.  Pairs with ptl_registry_add(). */
		uint64_t ref = atomic_load_explicit(&entry->refs[i],
						    memory_order_acquire);
		uint64_t names = atomic_load_explicit(&entry->names,
						      memory_order_relaxed);
		char digits[24];

		if (!ref || !ptl_ref_inherited(ref))
			continue;
		if (size - length < 6 * sizeof(digits))
			break;
		/* What is apart ends with this image. */
		if (length == 0)
			length = ptl_utoa(buf, ptl_apart_is(names) ? 0 : names,
					  16);
		ptl_utoa(digits, ptl_ref_stream(ref), 16);
		buf[length++] = ',';
		length += ptl_strcopy(buf + length, size - length, digits);
		if (bridged)
			length += put_bridge(buf + length, i);
	}
	if (length > 0) {
		buf[length++] = PTL_STREAMS_PIDNS;
		length += ptl_utoa(buf + length, ptl_attached.ident.pidns, 16);
		length += put_token(buf + length, launch);
	}
	return length;
}

/* Is the entry this process's?  Of the child of a fork that we have not seen it
 * is, now; where it may not ask the kernel it is its parent's. */
static bool is_ours(void)
{
	ptl_core_forked();
	return !ptl_slots_forked();
}

/* No streams, and of no family. */
static size_t put_none(char *buf)
{
	size_t length = ptl_utoa(buf, 0, 16);

	buf[length++] = PTL_STREAMS_PIDNS;
	return length + ptl_utoa(buf + length, ptl_attached.ident.pidns, 16);
}

size_t ptl_core_token(char *buf)
{
	size_t length;

	if (ptl_core_in_vfork_child() || !is_ours() ||
	    ptl_attached_entry() == &ptl_no_entry ||
	    ptl_attached_is_unlisted() || !ptl_attached.ident.pidns)
		return 0;
	length = put_none(buf);
	return length + ptl_token_exec(buf + length, ptl_attached.ident.pid);
}

bool ptl_core_is_traceable(uint64_t file)
{
	return ptl_children_traceable(file, false);
}

void ptl_core_note_traceable(uint64_t file)
{
	ptl_children_traceable(file, true);
}

const char *ptl_core_reach(bool *bridged)
{
	return ptl_guest_reach(bridged);
}

uint64_t ptl_core_room(void)
{
	return ptl_guest_room();
}

/* May there be a filter that the trace did not begin under? */
static void note_filter(struct ptl_shm_entry *entry)
{
	bool filtered = !ptl_slots_may_call() || ptl_sys_door != PTL_DOOR_OPEN;

	if (filtered != ptl_registry_says(entry, PTL_ENTRY_FILTERED))
		atomic_fetch_xor_explicit(&entry->flags, PTL_ENTRY_FILTERED,
					  memory_order_relaxed);
}

void ptl_core_execs(const char *path)
{
	const struct ptl_announced *child;
	struct ptl_slot *slot;

	if (ptl_outsider())
		return;
	if (!ptl_core_in_vfork_child()) {
		if (!is_ours())
			return;
		if (ptl_attached_active()) {
			note_filter(ptl_attached_entry());
			ptl_registry_program(ptl_attached_entry(), path);
		}
		if (ptl_registry_says(ptl_attached_entry(), PTL_ENTRY_UNLISTED))
			ptl_children_execs(path);
		return;
	}
	slot = ptl_thread.slot;
	/* Recorded with the child, if process:fork is not recorded yet; who is
	 * not alone in this memory is announced before. */
	if (slot->attention & PTL_ATTENTION_CLONE)
		ptl_fork_announce();
	else
		slot->executes = path;
	child = ptl_slots_may_call() ? ptl_announced_find(slot, child_pid()) :
				       NULL;
	if (child)
		ptl_vfork_program(
			atomic_load_explicit(&child->pid, memory_order_relaxed),
			child->at, path);
}

void ptl_core_exec(void)
{
	if (ptl_core_in_vfork_child() || !is_ours())
		return;
	ptl_coverage_save();
	ptl_emit_release();
	if (!ptl_slots_may_call())
		return;
	if (ptl_registry_says(ptl_attached_entry(), PTL_ENTRY_CONTROLS))
		ptl_takeover_exec();
	ptl_registry_exec(ptl_attached_entry(), true);
}

void ptl_core_exec_failed(void)
{
	if (ptl_core_in_vfork_child() || !is_ours())
		return;
	ptl_core_execs(NULL);
	if (ptl_slots_may_call())
		ptl_registry_exec(ptl_attached_entry(), false);
}
