/* SPDX-License-Identifier: MIT */
/*
 * Which calls of libc a stream records, by what they say: in its head, and read
 * where calls are recorded (core/record/select.h).
 */
#ifndef PTL_CORE_FORMAT_SELECT_H
#define PTL_CORE_FORMAT_SELECT_H

#include "core/base.h"

/* Of `what': a call is recorded if it passes each of these tests. */
#define PTL_SELECT_FAILED 1u
#define PTL_SELECT_SLOWER 2u
#define PTL_SELECT_FDS 4u
#define PTL_SELECT_PATHS 8u

#define PTL_SELECT_FD_MAX 16
#define PTL_SELECT_PATH_SIZE 256
#define PTL_SELECT_COUNTERS 4

struct ptl_shm_select {
	_Atomic uint32_t what; /* 0: all are recorded */
	_Atomic uint32_t nr_fds;
	_Atomic uint64_t ticks; /* SLOWER: that it lasted */
	_Atomic int32_t fd[PTL_SELECT_FD_MAX];
	/* Patterns with commas between them; then a null. */
	char paths[PTL_SELECT_PATH_SIZE];
	/* Calls that did not pass, counted where the thread's number says, so
	 * that threads seldom write to the same line. */
	struct {
		_Atomic uint64_t calls;
		/* Of the first, since minor 4: functions that are not recorded
		 * any more, since they were called too often. */
		_Atomic uint64_t hot;
		uint64_t reserved[6];
	} unselected[PTL_SELECT_COUNTERS];
};
static_assert(sizeof(struct ptl_shm_select) == 16 + 4 * PTL_SELECT_FD_MAX +
						       PTL_SELECT_PATH_SIZE +
						       64 * PTL_SELECT_COUNTERS,
	      "shm ABI");

#endif
