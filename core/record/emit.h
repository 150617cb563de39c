/* SPDX-License-Identifier: MIT */
/*
 * The record path.  Everything here is async-signal-safe, takes no lock,
 * allocates nothing, and leaves errno alone.
 */
#ifndef PTL_CORE_RECORD_EMIT_H
#define PTL_CORE_RECORD_EMIT_H

#include "core/record/owner.h"
#include "core/shm/map.h"

/*
 * Records an event in those of the streams `active' (bits of our entry, not
 * 0) that run and do not filter it.  Addr: the call in the program.
 */
void ptl_emit(uint32_t id, const void *data, size_t size, const void *addr,
	      uint64_t active);

typedef void ptl_emit_fn(uint32_t id, const void *data, size_t size,
			 const void *addr, uint64_t active);

/* ptl_emit() for any event, in any state of the thread. */
ptl_emit_fn ptl_emit_long;

/*
 * Records an event as another would, its data cut to `max' bytes, unless the
 * stream filters it or does not run: of one that is full it is lost.
 */
void ptl_emit_as(struct ptl_map *map, const struct ptl_emit_as *as, uint32_t id,
		 const void *data, size_t size, size_t max, const void *addr);

struct ptl_recorded_stack;

/* ptl_emit(), with that stack, whatever the streams want, and at its caller;
 * and so in the name of another, as ptl_emit_as(). */
void ptl_emit_stacked(uint32_t id, const void *data, size_t size,
		      const struct ptl_recorded_stack *stack, uint64_t active);
void ptl_emit_stacked_as(struct ptl_map *map, const struct ptl_emit_as *as,
			 const struct ptl_recorded_stack *stack, uint32_t id,
			 const void *data, size_t size);

/* Of an id on the slow path: addr is the stack.  An argument more would be on
 * the program's stack. */
#define PTL_EMIT_STACKED UINT32_C(0x80000000)

/* No chunk is to be had for an event: the stream is full, or overrun. */
void ptl_emit_lose(struct ptl_map *map);

/* A stream that does not loop, in the state `from', stops because it is full:
 * the flusher or the reader records that, and lets it go on. */
void ptl_emit_full(struct ptl_map *map, uint32_t from);

/* Does a running stream of `active' record this type?  Of one that cannot be
 * mapped: yes, perhaps. */
bool ptl_emit_wanted(uint64_t active, uint32_t id);

/* Streams of `active' that do not filter this type, be they running or not. */
uint64_t ptl_emit_unfiltered(uint64_t active, uint32_t id);

/* The streams of `active' that record this type, which is a call of libc. */
uint64_t ptl_emit_for_calls_long(uint64_t active, uint32_t id);

/* Lets the calling thread's chunks go, in all streams. */
void ptl_emit_release(void);

/* The calling thread has done with stream bit i, which is dead. */
void ptl_emit_leave(unsigned int i);

#endif
