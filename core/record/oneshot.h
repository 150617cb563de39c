/* SPDX-License-Identifier: MIT */
/*
 * One event in one stream, in a given name, by a thread that keeps no chunk for
 * it: the events of controllers (START, STOP, FILTER), events in the name of
 * others (a fork child's in its parent's), and those of a thread that gets no
 * chunk to keep.  Async-signal-safe like the rest of the record path.
 */
#ifndef PTL_CORE_RECORD_ONESHOT_H
#define PTL_CORE_RECORD_ONESHOT_H

#include "core/record/owner.h"
#include "core/shm/map.h"

/*
 * Records the event whether the stream runs and whatever it filters; data is
 * cut to `max' bytes.  False if there was no room.
 */
bool ptl_oneshot(struct ptl_map *map, const struct ptl_emit_as *as, uint32_t id,
		 const void *data, size_t size, size_t max, const void *addr);

/* ptl_oneshot(), but only while the stream runs; true also if it does not. */
bool ptl_oneshot_running(struct ptl_map *map, const struct ptl_emit_as *as,
			 uint32_t id, const void *data, size_t size, size_t max,
			 const void *addr);

struct ptl_recorded_stack;

/* As ptl_oneshot_running(), with that stack; data is cut as the stream says. */
bool ptl_oneshot_stacked(struct ptl_map *map, const struct ptl_emit_as *as,
			 const struct ptl_recorded_stack *stack, uint32_t id,
			 const void *data, size_t size, const void *addr);

/* What has passed: where, with the return addresses, and when by the stream's
 * clock. */
struct ptl_oneshot_past {
	const uint64_t *frame;
	size_t nr;
	uint64_t addr, when;
};

/* ptl_oneshot_stacked() of what has passed. */
bool ptl_oneshot_at(struct ptl_map *map, const struct ptl_emit_as *as,
		    const struct ptl_oneshot_past *past, uint32_t id,
		    const void *data, size_t size);

/* Wakes the readers that wait for an event of the stream. */
PTL_COLD void ptl_oneshot_wake(struct ptl_shm_head *head);

/* An event was recorded. */
PTL_INLINE void ptl_oneshot_told(struct ptl_shm_head *head)
{
	if (atomic_load_explicit(&head->sleeper, memory_order_relaxed))
		ptl_oneshot_wake(head);
}

#endif
