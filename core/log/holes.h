/* SPDX-License-Identifier: MIT */
/*
 * Holes of a log: a file that was cut longer, or whose end a crash has lost,
 * may have far more of them than of data, and nobody waits until all these
 * zeroes are read.
 */
#ifndef PTL_CORE_LOG_HOLES_H
#define PTL_CORE_LOG_HOLES_H

#include "core/base.h"

#include "core/sys/wide.h"

struct ptl_holes {
	bool may_be; /* the file has less data than bytes */
	/* A stretch of data that is known. */
	uint64_t begin, end;
};

/*
 * A descriptor for reading that file: fd's own, but an independent one if it is
 * for asking for holes, too, which moves the offset.  Or a negative errno.
 */
int ptl_holes_begin(struct ptl_holes *holes, int fd,
		    const struct ptl_kstat *st);

/* Where there are data again, from `offset' on and up to `end'; `offset' itself
 * where that is not known.  A multiple of 8 from it. */
uint64_t ptl_holes_skip(struct ptl_holes *holes, int fd, uint64_t offset,
			uint64_t end);

/* Is so much of the file there that it may be read at once?  Else it would be
 * memory that is larger than all data of the log. */
bool ptl_holes_may_read(struct ptl_holes *holes, int fd, uint64_t offset,
			uint64_t size);

/* The file has changed. */
void ptl_holes_forget(struct ptl_holes *holes);

#endif
