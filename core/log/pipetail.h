/* SPDX-License-Identifier: MIT */
/*
 * What the reader of a pipe has of a log when it leaves.  What it did not take
 * out of the pipe is lost: so as much of the log as a pipe can hold is kept, to
 * count the events in it.
 */
#ifndef PTL_CORE_LOG_PIPETAIL_H
#define PTL_CORE_LOG_PIPETAIL_H

#include "core/base.h"

struct ptl_pipetail {
	unsigned char *base; /* whole packets; NULL: nothing is kept */
	size_t room, used;
	size_t pipe;	 /* bytes that are in the pipe at most */
	uint64_t before; /* events in packets that are not kept any more */
};

/* For a pipe, and appends of so many bytes at most.  Where there is no memory
 * nothing is kept. */
void ptl_pipetail_begin(struct ptl_pipetail *tail, int fd, size_t largest);
void ptl_pipetail_end(struct ptl_pipetail *tail);

/* Packets that were appended, or should have been. */
void ptl_pipetail_add(struct ptl_pipetail *tail, const void *packets,
		      size_t size);

/* The events of which the last so many bytes have nothing. */
uint64_t ptl_pipetail_events(const struct ptl_pipetail *tail, uint64_t unread);

#endif
