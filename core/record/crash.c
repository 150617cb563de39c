/* SPDX-License-Identifier: MIT */
/* Crashes and samples; see crash.h. */
#include "core/record/crash.h"

#include "core/format/record.h"
#include "core/format/sysevents.h"
#include "core/format/values.h"
#include "core/record/attached.h"
#include "core/record/emit.h"
#include "core/record/fastpath.h"
#include "core/record/stacks.h"
#include "core/sys/syscall.h"

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

/* The streams that record it; 0: none does. */
static uint64_t who_wants(enum ptl_sysevent id)
{
	uint64_t active = ptl_attached_active();

	if (!active || ptl_outsider())
		return 0;
	return ptl_fastpath_for_calls(active, id);
}

/* Of what was interrupted.  Is it whole? */
static bool find_stack(struct ptl_recorded_stack *stack, size_t max,
		       const uint64_t *reg, const void *addr)
{
	struct ptl_unwinding *unwinding;

	*stack =
		(struct ptl_recorded_stack){.caller = (uintptr_t)addr, .nr = 1};
	stack->frame = &stack->caller;
	stack->desk = ptl_desk_take(NULL);
	if (!stack->desk)
		return false;
	unwinding = (struct ptl_unwinding *)(void *)stack->desk->word;
	stack->nr = ptl_unwind_from(unwinding, max, reg, stack->caller);
	stack->frame = unwinding->found.frame;
	return unwinding->walk.is_whole;
}

void ptl_crash_emit(const void *data, size_t size, const uint64_t *reg,
		    const void *addr)
{
	uint64_t active = who_wants(PTL_EV_SIGNAL_CRASH);
	struct ptl_recorded_stack stack;

	if (!active)
		return;
	find_stack(&stack, room_for(active, size), reg, addr);
	ptl_emit_stacked(PTL_EV_SIGNAL_CRASH, data, size, &stack, active);
	ptl_stack_put(&stack);
}

void ptl_sample_emit(int64_t weight, bool was_in_kernel, const uint64_t *reg,
		     const void *addr)
{
	uint64_t active = who_wants(PTL_EV_CPU_SAMPLE);
	int64_t data[3] = {0, weight, was_in_kernel ? PTL_SAMPLE_KERNEL : 0};
	struct ptl_recorded_stack stack;
	unsigned int cpu = 0;

	if (!active)
		return;
	ptl_sys(SYS_getcpu, &cpu, NULL, NULL, 0);
	data[0] = cpu;
	if (!find_stack(&stack, room_for(active, sizeof(data)), reg, addr))
		data[2] |= PTL_SAMPLE_CUT;
	ptl_emit_stacked(PTL_EV_CPU_SAMPLE, data, sizeof(data), &stack, active);
	ptl_stack_put(&stack);
}
