/* SPDX-License-Identifier: MIT */
/*
 * What the reader of a pipe has of a log when he leaves.  What he did not take
 * out of the pipe is lost with it: so as much of the log as a pipe can hold is
 * kept, to count the events in it.
 */
#ifndef PTL_CORE_LOGTAIL_H
#define PTL_CORE_LOGTAIL_H

#include "core/base.h"

struct ptl_logtail {
	unsigned char *base; /* whole packets; NULL: nothing is kept */
	size_t room, used;
	size_t pipe;	 /* bytes that are in the pipe at most */
	uint64_t before; /* events in packets that are not kept any more */
};

/* For a pipe, and appends of so many bytes at most.  Where there is no memory
 * nothing is kept. */
void ptl_logtail_begin(struct ptl_logtail *tail, int fd, size_t largest);
void ptl_logtail_end(struct ptl_logtail *tail);

/* Packets that were appended, or should have been. */
void ptl_logtail_add(struct ptl_logtail *tail, const void *packets,
		     size_t size);

/* The events of which the last so many bytes have nothing. */
uint64_t ptl_logtail_events(const struct ptl_logtail *tail, uint64_t unread);

#endif
