/* SPDX-License-Identifier: MIT */
/*
 * A thread's hold on its chunks: how it comes by one, moves on to the next,
 * and lets go.  The slow path of the record path; async-signal-safe like it.
 */
#ifndef PTL_CORE_RECORD_OWNER_H
#define PTL_CORE_RECORD_OWNER_H

#include "core/buffer/chunk.h"
#include "core/buffer/slot.h"

/* The thread in whose name records are: what a span says. */
struct ptl_emit_as {
	uint32_t pid;
	uint32_t tid;
	uint64_t thread;
	uint32_t image;
	uint32_t pidns;
	uint64_t when; /* by the stream's clock, of what has passed; 0: now */
};

void ptl_owner_as(const struct ptl_slot *slot, struct ptl_emit_as *as);

/* The calling thread's. */
void ptl_owner_self(struct ptl_emit_as *as);

/* The slot's first event in stream bit i: maps it.  False: it cannot be. */
bool ptl_owner_attach(struct ptl_slot *slot, unsigned int i);

/* May the slot's thread, the caller, read the CPU's counter?  From now on it
 * takes the fast path, or does not. */
void ptl_owner_allow(struct ptl_slot *slot, bool counter);

/*
 * Gives the slot a chunk with room for a record of `bytes' in stream i (map),
 * in place of the one of word `old'.  `nested': a handler runs us while a
 * recorder of the same thread may be in the middle of the old chunk.  False:
 * there is none to keep.
 */
bool ptl_owner_chunk(struct ptl_slot *slot, unsigned int i, struct ptl_map *map,
		     uint64_t old, size_t bytes, bool nested);

/* Leaves the chunk of stream i, or of all, for others to go on with. */
void ptl_owner_release(struct ptl_slot *slot, unsigned int i, bool nested);
void ptl_owner_release_all(struct ptl_slot *slot);

/* A recorder was left in the middle: what it counted may not be there. */
void ptl_owner_uncount(struct ptl_slot *slot);

/*
 * May another record be put into the thread's chunk?  Not if a recorder that
 * was interrupted, or left, has reserved a place in it and has not yet stored
 * the zero behind that.
 */
bool ptl_owner_is_bounded(const struct ptl_slot_stream *own);

/* Of a recorder that was left: sees to it that all are. */
void ptl_owner_leave(struct ptl_slot *slot);

/* Stream i is dead for this thread. */
void ptl_owner_forget(struct ptl_slot *slot, unsigned int i);

/* Makes sure that what is written next to a claimed chunk is in `as's name. */
void ptl_owner_span(struct ptl_map *map, struct ptl_claim *claim,
		    const struct ptl_emit_as *as, uint64_t now);
#define PTL_SPAN_BYTES (PTL_RECORD_HEADER + sizeof(struct ptl_shm_span))

/* Spans say 47 bits of time, records 48: a span is renewed before that. */
#define PTL_SPAN_TICKS (UINT64_C(1) << 46)

#endif
