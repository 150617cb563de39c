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
#include "preload/libc.h"

#include "core/sys.h"

#include "preload/lookup.h"

struct ptl_libc ptl_libc_table;
_Atomic bool ptl_libc_ready;

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

static const struct row {
	const char *name;
	size_t offset;
} rows[] = {
#define CALL(name, family) {#name, offsetof(struct ptl_libc, name)},
#include "preload/calls.def"
#undef CALL
};

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

static_assert(PTL_ARRAY_SIZE(rows) <= PTL_LOOKUP_MAX, "in one go");

void ptl_libc_resolve(void)
{
	const char *name[PTL_ARRAY_SIZE(rows)];
	void *real[PTL_ARRAY_SIZE(rows)];

	for (size_t i = 0; i < PTL_ARRAY_SIZE(rows); i++)
		name[i] = rows[i].name;
	ptl_lookup(name, real, PTL_ARRAY_SIZE(rows));
	for (size_t i = 0; i < PTL_ARRAY_SIZE(rows); i++) {
		if (!real[i])
			real[i] = stub(rows[i].offset);
		*(void **)((char *)&ptl_libc_table + rows[i].offset) = real[i];
	}
	ptl_real_syscall = (void *)ptl_libc_table.syscall;
	/* The table before the flag.  Pairs with libc(). */
	atomic_store_explicit(&ptl_libc_ready, true, memory_order_release);
}
