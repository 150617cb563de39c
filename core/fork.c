/* SPDX-License-Identifier: MIT */
/*
 * Fork.  The child announces itself: it alone knows both pids whichever way
 * it was made (forkpty(), daemon() and raw clone show the parent no child),
 * and its announcement cannot come after its first event.
 */
#include "core/fork.h"

#include "core/emit.h"
#include "core/flusher.h"
#include "core/self.h"
#include "core/slot.h"
#include "core/stream.h"
#include "core/sys.h"
#include "core/sysevents.h"

#include <pthread.h>

static void announce(const struct ptl_emit_as *parent, int64_t child)
{
	struct ptl_slot *slot = ptl_slot_mine();
	bool mark = ptl_slot_mark(slot);

	for (uint64_t left = ptl_self_active(); left; left &= left - 1) {
		struct ptl_map *map;

		if (!ptl_emit_wanted(left & -left, PTL_EV_PROCESS_FORK))
			continue;
		map = ptl_self_map((unsigned int)__builtin_ctzll(left));
		if (map)
			ptl_emit_running(map, parent, PTL_EV_PROCESS_FORK,
					 &child, sizeof(child), sizeof(child),
					 NULL);
	}
	if (mark)
		ptl_slot_unmark(slot);
}

void ptl_fork_born(void)
{
	uint32_t ppid = (uint32_t)ptl_sys_getppid();
	struct ptl_emit_as parent = {.pid = ppid, .tid = ppid};

	announce(&parent, ptl_self.ident.pid);
}

void ptl_fork_child(void)
{
	struct ptl_emit_as parent;

	if (!ptl_slots_forked())
		return;
	ptl_slots_settle();
	/* What the parent controls is not ours. */
	ptl_streams_forked();
	ptl_flusher_forked();
	parent = (struct ptl_emit_as){
		.pid = ptl_self.ident.pid,
		.tid = ptl_slot_tid ? ptl_slot_tid : ptl_self.ident.pid,
		.thread = (uint64_t)pthread_self(),
		.image = ptl_self_block()->image,
	};
	ptl_slot_mine();
	if (ptl_self_active())
		announce(&parent, ptl_sys_getpid());
	ptl_self_fork();
}

void ptl_fork_vforked(const struct ptl_emit_as *parent, uint32_t child)
{
	announce(parent, child);
	ptl_self_vfork(child);
}

void ptl_fork_vfork_ends(void)
{
	ptl_self_vfork_ends((uint32_t)ptl_sys_getpid());
}
