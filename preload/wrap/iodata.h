/* SPDX-License-Identifier: MIT */
/*
 * The bytes that a call has read or written, copied behind it (--io-data).  It
 * is the kernel that copies: another thread may have unmapped them since.
 */
#ifndef PTL_PRELOAD_WRAP_IODATA_H
#define PTL_PRELOAD_WRAP_IODATA_H

#include "core/base.h"

#include "preload/libc/payload.h"

/* What a call has moved, and where it is. */
struct ptl_moved {
	enum {
		PTL_MOVED_NONE, /* nothing can be said of it */
		PTL_MOVED_BYTES,
		PTL_MOVED_TEXT,	    /* a string; its size counts as yes or no */
		PTL_MOVED_VECTOR,   /* of `count' struct iovec */
		PTL_MOVED_MESSAGE,  /* of a struct msghdr */
		PTL_MOVED_MESSAGES, /* of the first of some struct mmsghdr */
	} kind;
	int64_t size; /* bytes in all; -1: none were moved */
	const void *at;
	size_t count;
};

/*
 * Puts the first ptl_core_io_data of them, as far as there is room: one byte,
 * 1 if there were more of them, then they.  Nothing if there is nothing to
 * tell, or they cannot be read.
 */
void ptl_iodata_put(struct ptl_payload *data, const struct ptl_moved *moved);

#endif
