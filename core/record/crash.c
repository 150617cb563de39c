/* SPDX-License-Identifier: MIT */
/* Crashes; see crash.h. */
#include "core/record/crash.h"

#include "core/format/record.h"
#include "core/format/sysevents.h"
#include "core/record/attached.h"
#include "core/record/emit.h"
#include "core/record/fastpath.h"
#include "core/record/stacks.h"

/* As many frames as fit into a chunk of the smallest stream, with the event. */
static size_t room_for(uint64_t active, size_t size)
{
	size_t room = PTL_STACK_MAX * sizeof(uint64_t);

	for (; active; active &= active - 1) {
		const struct ptl_map *map =
			ptl_attached_map((unsigned int)__builtin_ctzll(active));
		size_t taken = ptl_record_bytes(size, true) + PTL_SPAN_BYTES +
			       PTL_RECORD_HEADER_EXT;

		if (map && taken + room > map->chunk_size)
			room = taken < map->chunk_size ?
				       map->chunk_size - taken :
				       0;
	}
	return PTL_MAX(room / sizeof(uint64_t), (size_t)1);
}

void ptl_crash_emit(const void *data, size_t size, const uint64_t *reg,
		    const void *addr)
{
	uint64_t active = ptl_attached_active();
	struct ptl_recorded_stack stack;
	struct ptl_unwinding *unwinding;

	if (active && !ptl_outsider())
		active = ptl_fastpath_for_calls(active, PTL_EV_SIGNAL_CRASH);
	if (!active || ptl_outsider())
		return;
	stack = (struct ptl_recorded_stack){.caller = (uintptr_t)addr, .nr = 1};
	stack.frame = &stack.caller;
	stack.desk = ptl_desk_take(NULL);
	if (stack.desk) {
		unwinding = (struct ptl_unwinding *)(void *)stack.desk->word;
		stack.nr = ptl_unwind_from(unwinding, room_for(active, size),
					   reg, stack.caller);
		stack.frame = unwinding->found.frame;
	}
	ptl_emit_stacked(PTL_EV_SIGNAL_CRASH, data, size, &stack, active);
	ptl_stack_put(&stack);
}
