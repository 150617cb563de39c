/* SPDX-License-Identifier: MIT */
/*
 * Finds the next definition of each intercepted function: libc's, or that of
 * another preloaded object behind us.
 *
 * What is found is a symbol's default version, as by dlsym().  posix_spawn and
 * posix_spawnp have an old one too (GLIBC_2.2.5, before 2.15 on x86-64) that
 * runs a file without "#!" through /bin/sh; a program linked that long ago
 * gets the new behaviour here.  Keeping both would take a version script,
 * which would break interposition as such.
 */
#include "preload/libc/libc.h"

#include "core/sys/syscall.h"

#include "preload/libc/lookup.h"

struct ptl_libc ptl_libc_table;

/* For syscall.S, which knows no offsets of ours. */
void *ptl_real_syscall;

/* What a function answers that this libc does not have. */
static long missing(void)
{
	errno = ENOSYS;
	return -1;
}

static long missing_number(void)
{
	return ENOSYS;
}

static void *missing_pointer(void)
{
	errno = ENOSYS;
	return NULL;
}

/* Arrays: pointers would have to be relocated in each process. */
static const char names[][24] = {
#define CALL(name, family) #name,
#include "preload/libc/calls.def"
#undef CALL
};
static_assert(sizeof(names) / sizeof(names[0]) ==
		      sizeof(struct ptl_libc) / sizeof(void *),
	      "a name for each member");

static void *stub(size_t offset)
{
	switch (offset) {
	case offsetof(struct ptl_libc, posix_spawn):
	case offsetof(struct ptl_libc, posix_spawnp):
	case offsetof(struct ptl_libc, pthread_create):
	case offsetof(struct ptl_libc, pthread_kill):
	case offsetof(struct ptl_libc, pthread_sigqueue):
	case offsetof(struct ptl_libc, sigwait):
		return (void *)missing_number;
	case offsetof(struct ptl_libc, popen):
	case offsetof(struct ptl_libc, dlopen):
	case offsetof(struct ptl_libc, dlmopen):
	case offsetof(struct ptl_libc, dlsym):
	case offsetof(struct ptl_libc, dlvsym):
		return (void *)missing_pointer;
	default:
		return (void *)missing;
	}
}

void *ptl_libc_find(size_t offset)
{
	void **real = (void **)(void *)((char *)&ptl_libc_table + offset);
	void *found = ptl_lookup_real(real, names[offset / sizeof(void *)],
				      stub(offset));

	if (offset == offsetof(struct ptl_libc, syscall))
		__atomic_store_n(&ptl_real_syscall, found, __ATOMIC_RELAXED);
	return found;
}
