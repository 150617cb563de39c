/* SPDX-License-Identifier: MIT */
/*
 * Calls of functions summed up, in place of events of them: how many, and how
 * long.  The sums of a thread are records, in chunks of the stream that it
 * keeps (core/format/sums.h), so they outlive it as events do: whoever recovers
 * the stream finds them.
 *
 * Where a call cannot be summed up, since the thread is as the fast path does
 * not want it, it is an event after all.  So nothing is lost, and there is no
 * slow path.
 */
#ifndef PTL_CORE_RECORD_SUMS_H
#define PTL_CORE_RECORD_SUMS_H

#include "core/buffer/slot.h"
#include "core/record/sums_index.h"

/* Calls in progress whose end is waited for; those deeper are counted, and not
 * timed. */
#define PTL_SUM_CALLS 1024

struct ptl_sum_call {
	uint64_t at; /* where its return address is */
	uint64_t since;
	uint64_t inner; /* ns, of calls inside of it that have ended */
	struct ptl_sum_entry *entry;
};

/* Of a thread. */
struct ptl_sums {
	const struct ptl_slot_stream *own;
	struct ptl_map *map;
	uint64_t stream;	      /* its bit; 0: it is gone */
	uint64_t gate;		      /* when it was seen to run */
	uint64_t rate;		      /* ns in 2^32 ticks */
	uint64_t next;		      /* where the next record will be, or 0 */
	uint64_t end;		      /* where there are no more */
	struct ptl_sum_entry *other;  /* of what there is no room for, and */
	struct ptl_sum_record *spare; /* its record */
	bool is_leaving;	      /* its records are being given back */
	struct ptl_sum_index index;
	uint32_t nr;
	uint32_t reserved;
	/* The first is none, above all others. */
	struct ptl_sum_call call[1 + PTL_SUM_CALLS];
};

/* The slot's thread leaves its records; they are as they will be.  Not while it
 * is in the midst of one. */
void ptl_sums_release(struct ptl_slot *slot);

/* Whether the thread may read the counter has changed: it is asked again. */
void ptl_sums_close(struct ptl_slot *slot);

/* The slot's thread has no such stream any more. */
void ptl_sums_forget(struct ptl_slot *slot, unsigned int i);

/* Frees the memory, too: before the slot is put. */
void ptl_sums_free(struct ptl_slot *slot);

#endif
