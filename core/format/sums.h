/* SPDX-License-Identifier: MIT */
/*
 * The data of a call:summary: what the calls of a function from one place, in
 * one thread, come to.  It is updated in place as long as its thread has the
 * chunk (PTL_CHUNK_KEPT): each word by one store, so that it is right at any
 * moment but for the call in progress.  Times are in ns.
 */
#ifndef PTL_CORE_FORMAT_SUMS_H
#define PTL_CORE_FORMAT_SUMS_H

#include "core/format/record.h"

/* Calls that took less than 2^n ns, and not less than half of that; the last:
 * or more. */
#define PTL_SUM_BUCKETS 32

struct ptl_sum {
	uint64_t callee; /* 0: functions that there was no room for */
	uint64_t calls;
	uint64_t total;	      /* of those inside no other of the function */
	uint64_t self;	      /* without the calls inside of them */
	uint64_t least, most; /* a call */
	uint32_t took[PTL_SUM_BUCKETS]; /* those that have ended */
};
static_assert(sizeof(struct ptl_sum) == 176, "shm and log ABI");

/* In a chunk that is kept. */
struct ptl_sum_record {
	uint64_t word[PTL_RECORD_HEADER / 8];
	struct ptl_sum sum;
};

#endif
