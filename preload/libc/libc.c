/* SPDX-License-Identifier: MIT */
#include "preload/libc/libc.h"

#include "preload/libc/lookup.h"

#include <errno.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#define REAL(name, how) __typeof__(&name) ptl_real_##name;
#include "preload/libc/real.def"
#undef REAL
#pragma GCC diagnostic pop

static long missing(void)
{
	errno = ENOSYS;
	return -1;
}

static void *missing_pointer(void)
{
	errno = ENOSYS;
	return NULL;
}

static long missing_error(void)
{
	return ENOSYS;
}

static void *missing_as(enum ptl_failure how)
{
	switch (how) {
	case PTL_FAILS_POINTER:
		return (void *)missing_pointer;
	case PTL_FAILS_ERROR:
		return (void *)missing_error;
	default:
		return (void *)missing;
	}
}

void *ptl_libc_find(void **real, const char *name, enum ptl_failure how)
{
	return ptl_lookup_real(real, name, missing_as(how));
}

void *ptl_libc_find_version(void **real, const char *name, const char *version,
			    enum ptl_failure how)
{
	return ptl_lookup_version(real, name, version, missing_as(how));
}
