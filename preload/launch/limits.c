/* SPDX-License-Identifier: MIT */
/*
 * What the loader takes for a program it takes for us, too, before that has
 * begun: with less than both need it either says so on standard error, or
 * does not find the room for libc.
 */
#include "preload/launch/limits.h"

#include "core/core.h"
#include "core/sys/syscall.h"

#include <sys/resource.h>

/* Ours, most of it being data that is not touched; and what is left to the
 * program to begin with. */
#define OURS (UINT64_C(8) << 20)
#define PROGRAMS (UINT64_C(16) << 20)

/* We have a directory open and a file in it; the loader has one. */
#define FILES 2u

/* Of more descriptors than these some are left. */
#define FILES_FEW 16u

static uint64_t get(int resource)
{
	struct rlimit limit;

	return ptl_sys(SYS_prlimit64, 0, resource, NULL, &limit) == 0 ?
		       limit.rlim_cur :
		       RLIM_INFINITY;
}

/* How many descriptors are free below that limit when the program begins. */
static unsigned int count_free(uint64_t limit)
{
	unsigned int nr = 0;

	for (uint64_t fd = 0; fd < limit; fd++) {
		long flags = ptl_sys(SYS_fcntl, (int)fd, F_GETFD, 0, 0);

		nr += flags < 0 || flags & FD_CLOEXEC;
	}
	return nr;
}

const char *ptl_limits_forbid(bool *complains)
{
	uint64_t files = get(RLIMIT_NOFILE);
	unsigned int left = files <= FILES_FEW ? count_free(files) : FILES;

	*complains = true;
	if (get(RLIMIT_AS) < OURS + PROGRAMS + ptl_core_room())
		return "too little address space (RLIMIT_AS)";
	if (get(RLIMIT_DATA) < OURS + PROGRAMS)
		return "too small a data segment (RLIMIT_DATA)";
	*complains = left == 0;
	return left < FILES ? "too few descriptors (RLIMIT_NOFILE)" : NULL;
}
