/* SPDX-License-Identifier: MIT */
#include "preload/libc/scratch.h"

#include "core/core.h"
#include "core/sys/syscall.h"

#define RESERVE_UNIT 65536

/* 16 of the 64 bytes of thread-local storage that the library may use. */
static __thread struct reserve {
	char *base;
	uint32_t size;
	uint32_t used;
} reserve __attribute__((tls_model("initial-exec")));

/* Inherited by children, like the seccomp filter.  A vfork child that installs
 * a filter makes its parent quiet, too, which costs the parent little. */
static _Atomic bool quiet;

void ptl_quiet_start(void)
{
	atomic_store_explicit(&quiet, true, memory_order_relaxed);
}

void ptl_quiet_end(void)
{
	atomic_store_explicit(&quiet, false, memory_order_relaxed);
}

bool ptl_is_quiet(void)
{
	return atomic_load_explicit(&quiet, memory_order_relaxed);
}

static void *map(size_t size)
{
	void *base = ptl_sys_mmap(NULL, size, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return base == MAP_FAILED ? NULL : base;
}

/*
 * Only callers that may not map use the reserve, so that no part of it is in
 * use when ptl_scratch_reserve() takes all of it back.  A handler that runs
 * between the load and the store of `used' releases what it took before it
 * returns.
 */
bool ptl_scratch_get(struct ptl_scratch *scratch, size_t size)
{
	size = (size + 7) & ~(size_t)7;
	scratch->size = size;
	scratch->base = NULL;
	if (ptl_core_outsider())
		return NULL;
	scratch->reserved = ptl_is_quiet() || ptl_core_in_vfork_child();
	if (!scratch->reserved) {
		scratch->base = map(size);
	} else if (size <= reserve.size - reserve.used) {
		scratch->base = reserve.base + reserve.used;
		reserve.used += (uint32_t)size;
	}
	return scratch->base;
}

void ptl_scratch_put(struct ptl_scratch *scratch)
{
	if (!scratch->base)
		return;
	if (scratch->reserved)
		reserve.used = (uint32_t)(scratch->base - reserve.base);
	else
		ptl_sys_munmap(scratch->base, scratch->size);
	scratch->base = NULL;
}

void ptl_scratch_reserve(size_t size)
{
	struct reserve old;
	char *base;

	if (ptl_core_outsider())
		return;
	old = reserve;
	reserve.used = 0;
	if (size <= old.size || size > UINT32_MAX - RESERVE_UNIT ||
	    ptl_is_quiet())
		return;
	size = (size + RESERVE_UNIT - 1) / RESERVE_UNIT * RESERVE_UNIT;
	base = map(size);
	if (!base)
		return;
	reserve.base = base;
	reserve.size = (uint32_t)size;
	if (old.base)
		ptl_sys_munmap(old.base, old.size);
}

void ptl_scratch_drop(void)
{
	struct reserve old = reserve;

	reserve.size = 0;
	reserve.used = 0;
	reserve.base = NULL;
	if (old.base && !ptl_is_quiet())
		ptl_sys_munmap(old.base, old.size);
}
