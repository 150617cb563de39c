/* SPDX-License-Identifier: MIT */
/*
 * The names of event types of a family (a process and what it forked).
 * Entry i is event id PTL_ID_FIRST_USER + i: hash:32 given:1 fields:1 offset:30
 * of a null-terminated string in the heap; 0: not taken.  Given: by a
 * controller, so it counts for every process.  Fields: behind the name is
 * another string, what the data mean.  Entries are taken in order and never
 * change, so insertion is a compare-and-swap and a second look.
 *
 * A place of the index has the number of an entry + 1, or is 0; the search for
 * a name begins at that of its hash and goes on until one is 0.  Of the first
 * `indexed' entries all are there; of those behind them, some.  But the first
 * few of all are in no index: to look at each costs less than the pages of the
 * index, which most programs never touch.
 *
 * The heap has room for all names there can be, of the greatest length.  It
 * takes memory as it is filled: only its first `heap_ready' bytes may be
 * touched, for in a full tmpfs the others cannot be had.
 */
#ifndef PTL_CORE_FORMAT_NAMES_H
#define PTL_CORE_FORMAT_NAMES_H

#include "core/format/layout.h"

#define PTL_NAMES_GIVEN 0x80000000u
#define PTL_NAMES_FIELDS 0x40000000u
#define PTL_NAMES_MAX (PTL_ID_LIMIT - PTL_ID_FIRST_USER)
#define PTL_NAMES_FEW 64u
#define PTL_NAMES_INDEX (2 * PTL_NAMES_MAX)
#define PTL_NAMES_FIRST 130944u /* of the heap, there from the beginning */
#define PTL_NAMES_STEP 65536u
#define PTL_NAMES_HEAP (PTL_NAMES_FIRST + 64 * PTL_NAMES_STEP)

struct ptl_shm_names {
	struct ptl_shm_prefix prefix;
	_Atomic uint32_t heap_used;
	_Atomic uint32_t heap_ready;
	struct ptl_shm_ident maker; /* not collected while this one lives */
	_Atomic uint32_t indexed;
	_Atomic uint32_t nr_given;
	_Atomic uint32_t most;	  /* that one process opened: not given */
	_Atomic uint32_t refused; /* names too many, each time */
	uint64_t reserved[6];
	_Atomic uint64_t entry[PTL_NAMES_MAX];
	_Atomic uint16_t index[PTL_NAMES_INDEX];
	char heap[PTL_NAMES_HEAP];
};
static_assert(offsetof(struct ptl_shm_names, heap) + PTL_NAMES_FIRST == 327680,
	      "whole pages");
static_assert(sizeof(struct ptl_shm_names) == 4521984, "shm ABI");

#endif
