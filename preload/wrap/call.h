/* SPDX-License-Identifier: MIT */
/*
 * What the wrappers of calls that are only recorded have in common.  All have
 * one shape (preload/calls/calls.awk).  While nobody asks for the call they
 * jump to the real function.  Else they call it, and record what it was given
 * and what it returned; that it does not return (a thread cancelled in it, for
 * one) does no harm, for nothing is held meanwhile.
 *
 * Recorded when it returns, since only then there is a result, and it can be
 * told which pointers are good: see call.c.
 */
#ifndef PTL_PRELOAD_WRAP_CALL_H
#define PTL_PRELOAD_WRAP_CALL_H

#include "core/base.h"
#include "core/core.h"

#include "preload/libc/libc.h"
#include "preload/libc/lookup.h"
#include "preload/wrap/iodata.h"

#include <errno.h>

struct ptl_call_bytes {
	const void *at;
	size_t size; /* 255 at most are recorded */
};

/* What goes with an event. */
struct ptl_libc_call {
	/* And, after these, when the call began. */
	int64_t *value;
	uint8_t nr_values, nr_strings;
	uint8_t nr_tail; /* behind the strings, if these are whole */
	bool has_bytes;
	bool has_after;
	bool has_moved; /* recorded if ptl_core_io_data says so */
	bool failed;	/* so that pointers may be bad */
	union {
		const char *string[3];	       /* NULL in it: an empty one */
		const struct ptl_moved *moved; /* without strings */
	};
	struct ptl_call_bytes bytes; /* before the strings */
	const int64_t *tail;
	struct ptl_call_bytes after; /* behind those */
};

/* Of one with integers only; the last is when it began.  errno is kept. */
void ptl_call_values(enum ptl_sysevent id, int64_t *value, size_t size,
		     const void *addr);

/* Of one with strings, or other bytes. */
void ptl_call_record(enum ptl_sysevent id, const struct ptl_libc_call *call,
		     const void *addr);

/* May these bytes, of one page or two, be read?  A system call; no, where none
 * may be made. */
bool ptl_call_readable(const void *at, size_t size);

#endif
