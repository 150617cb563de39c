/* SPDX-License-Identifier: MIT */
/* See holes.h. */
#include "core/log/holes.h"

#include "core/log/writer.h"
#include "core/sys/syscall.h"

/* Not with every libc, nor without _GNU_SOURCE; the numbers are the kernel's.
 */
#ifndef SEEK_DATA
#define SEEK_DATA 3
#define SEEK_HOLE 4
#endif

/* What is no larger is read, whatever it is. */
#define SMALL (UINT64_C(64) << 20)

/* Of what is larger so much at least must be data: one of so many bytes. */
#define PART 16

int ptl_holes_begin(struct ptl_holes *holes, int fd, const struct ptl_kstat *st)
{
	int own;

	/* Files that are compressed have less, too: it costs a question. */
	*holes = (struct ptl_holes){
		.may_be = (uint64_t)st->st_blocks < (uint64_t)st->st_size / 512,
	};
	own = holes->may_be ? ptl_log_reopen(fd, O_RDONLY, st) : -ENOENT;
	if (own >= 0)
		return own;
	holes->may_be = false;
	return ptl_log_dup(fd);
}

/* The stretch of data that is at `offset' or behind it.  False: there is none,
 * or the file system does not say. */
static bool find(struct ptl_holes *holes, int fd, uint64_t offset)
{
	int64_t begin = ptl_sys_seek(fd, offset, SEEK_DATA), end;

	if (begin < 0) {
		holes->may_be = begin == -ENXIO;
		return false;
	}
	end = ptl_sys_seek(fd, (uint64_t)begin, SEEK_HOLE);
	holes->may_be = end > begin;
	holes->begin = (uint64_t)begin;
	holes->end = (uint64_t)end;
	return holes->may_be;
}

uint64_t ptl_holes_skip(struct ptl_holes *holes, int fd, uint64_t offset,
			uint64_t end)
{
	if (!holes->may_be || offset >= end ||
	    (offset >= holes->begin && offset < holes->end))
		return offset;
	if (!find(holes, fd, offset))
		return holes->may_be ? end : offset;
	if (holes->begin <= offset)
		return offset;
	return PTL_MIN(offset + ((holes->begin - offset) & ~UINT64_C(7)), end);
}

bool ptl_holes_may_read(struct ptl_holes *holes, int fd, uint64_t offset,
			uint64_t size)
{
	uint64_t end = offset + size, data = 0;

	if (!holes->may_be || size <= SMALL)
		return true;
	while ((offset = ptl_holes_skip(holes, fd, offset, end)) < end &&
	       data < size / PART && holes->may_be) {
		data += PTL_MIN(holes->end, end) - offset;
		offset = holes->end;
	}
	return !holes->may_be || data >= size / PART;
}

void ptl_holes_forget(struct ptl_holes *holes)
{
	holes->begin = holes->end = 0;
}
