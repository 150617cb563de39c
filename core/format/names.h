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
 * A table is in memory that no file is behind, until something traces the
 * family: then one in a file takes its place.  What is taken next in the former
 * is PTL_NAMES_CLOSED, so that there are no more names in it; those that are
 * there have the same ids in the file (core/shm/family.h).
 *
 * There is room for all names there can be, of the greatest length.  It takes
 * memory as it is filled: only the first `heap_ready' bytes of the heap may be
 * touched, and while it says `few' only the first entries and nothing of the
 * index, for in a full tmpfs the others cannot be had.
 */
#ifndef PTL_CORE_FORMAT_NAMES_H
#define PTL_CORE_FORMAT_NAMES_H

#include "core/format/layout.h"

#define PTL_NAMES_GIVEN 0x80000000u
#define PTL_NAMES_FIELDS 0x40000000u
#define PTL_NAMES_CLOSED 1u /* an entry without a hash: none */
#define PTL_NAMES_MAX (PTL_ID_LIMIT - PTL_ID_FIRST_USER)
#define PTL_NAMES_FEW 64u
#define PTL_NAMES_INDEX (2 * PTL_NAMES_MAX)
#define PTL_NAMES_FIRST 8064u /* of the heap, there from the beginning */
#define PTL_NAMES_STEP 65536u
#define PTL_NAMES_HEAP (66 * PTL_NAMES_STEP - 128)

struct ptl_shm_names {
	struct ptl_shm_prefix prefix;
	_Atomic uint32_t heap_used;
	_Atomic uint32_t heap_ready;
	struct ptl_shm_ident maker; /* not collected while this one lives */
	_Atomic uint32_t indexed;
	_Atomic uint32_t nr_given;
	_Atomic uint32_t most;	    /* that one process opened: not given */
	_Atomic uint32_t refused;   /* names too many, each time */
	_Atomic uint64_t moved_to;  /* of memory: id of the file; 0: it is it */
	_Atomic uint64_t came_from; /* of a file: id of that memory, or 0 */
	_Atomic uint32_t few;	    /* 1: the rest may not be there yet */
	uint32_t reserved[7];
	_Atomic uint64_t entry[PTL_NAMES_MAX];
	_Atomic uint16_t index[PTL_NAMES_INDEX];
	char heap[PTL_NAMES_HEAP];
};
static_assert(offsetof(struct ptl_shm_names, entry[PTL_NAMES_FEW]) <= 4096,
	      "the first page");
static_assert((offsetof(struct ptl_shm_names, heap) + PTL_NAMES_FIRST) % 4096 ==
		      0,
	      "whole pages");
static_assert(sizeof(struct ptl_shm_names) == 4521984, "shm ABI");

#endif
