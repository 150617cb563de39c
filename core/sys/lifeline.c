/* SPDX-License-Identifier: MIT */
#include "core/sys/lifeline.h"

#include "core/sys/syscall.h"

#include <fcntl.h>
#include <sys/mman.h>

#define LINE_SIZE 4096

/* Not with every libc, nor without _GNU_SOURCE; the numbers are the kernel's.
 */
#ifndef F_OFD_GETLK
#define F_OFD_GETLK 36
#define F_OFD_SETLK 37
#endif

static struct flock byte_lock(uint64_t at, short type)
{
	/* The pid must be 0. */
	return (struct flock){
		.l_type = type,
		.l_whence = SEEK_SET,
		.l_start = (off_t)at,
		.l_len = 1,
	};
}

void *ptl_lifeline_take(int fd, uint64_t at, bool shared, bool private)
{
	struct flock lock = byte_lock(at, shared ? F_RDLCK : F_WRLCK);
	void *line;

	if (ptl_sys(SYS_fcntl, fd, F_OFD_SETLK, &lock, 0) != 0)
		return NULL;
	line = ptl_sys_mmap(NULL, LINE_SIZE, PROT_NONE, MAP_SHARED, fd, 0);
	if (line == MAP_FAILED)
		return NULL;
	if (private && ptl_sys_madvise(line, LINE_SIZE, MADV_DONTFORK) != 0) {
		ptl_lifeline_drop(line);
		return NULL;
	}
	return line;
}

void ptl_lifeline_drop(void *line)
{
	ptl_sys_munmap(line, LINE_SIZE);
}

enum ptl_lifeline ptl_lifeline_ask(int fd, uint64_t at)
{
	/* What would be in the way of this lock. */
	struct flock lock = byte_lock(at, F_WRLCK);

	if (ptl_sys(SYS_fcntl, fd, F_OFD_GETLK, &lock, 0) != 0)
		return PTL_LIFELINE_UNKNOWN;
	return lock.l_type == F_UNLCK ? PTL_LIFELINE_FREE : PTL_LIFELINE_HELD;
}
