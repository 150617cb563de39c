/* SPDX-License-Identifier: MIT */
/*
 * What is found is a symbol's default version, as by dlsym().  posix_spawn and
 * posix_spawnp have an old one too (GLIBC_2.2.5, before 2.15 on x86-64) that
 * runs a file without "#!" through /bin/sh; a program linked that long ago
 * gets the new behaviour here.  Keeping both would take a version script,
 * which would break interposition as such.
 */
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

void *ptl_libc_find(void **real, const char *name, enum ptl_failure how)
{
	switch (how) {
	case PTL_FAILS_POINTER:
		return ptl_lookup_real(real, name, (void *)missing_pointer);
	case PTL_FAILS_ERROR:
		return ptl_lookup_real(real, name, (void *)missing_error);
	default:
		return ptl_lookup_real(real, name, (void *)missing);
	}
}
