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

/* Where a limit of memory lets nothing be mapped: the reserve of one thread. */
static char spare[RESERVE_UNIT] PTL_BULK __attribute__((aligned(8)));
static _Atomic bool is_spare_lent PTL_BULK;

/* By one that could not map, and not by a vfork child. */
static _Atomic bool is_spare_used PTL_BULK;

static void lend_spare(void)
{
	/* Pairs with unmap(). */
	if (atomic_exchange_explicit(&is_spare_lent, true,
				     memory_order_acq_rel))
		return;
	reserve.base = spare;
	reserve.size = sizeof(spare);
	reserve.used = 0;
}

static void unmap(char *base, size_t size)
{
	if (base == spare)
		/* Pairs with lend_spare(). */
		atomic_store_explicit(&is_spare_lent, false,
				      memory_order_release);
	else
		ptl_sys_munmap(base, size);
}

static char *take_reserve(size_t size)
{
	char *base;

	if (!reserve.base)
		lend_spare();
	if (size > reserve.size - reserve.used)
		return NULL;
	base = reserve.base + reserve.used;
	reserve.used += (uint32_t)size;
	return base;
}

static void set_used(uint32_t used)
{
	reserve.used = used;
	if (reserve.base == spare && used == 0)
		atomic_store_explicit(&is_spare_used, false,
				      memory_order_relaxed);
}

/* What is in use then is a former vfork child's, or of the caller that a
 * handler has interrupted. */
static char *take_spare(size_t size)
{
	char *base;

	if (!reserve.base)
		lend_spare();
	if (reserve.base != spare)
		return NULL;
	if (!atomic_exchange_explicit(&is_spare_used, true,
				      memory_order_relaxed))
		reserve.used = 0;
	base = take_reserve(size);
	if (!base)
		set_used(reserve.used);
	return base;
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
	if (!scratch->reserved)
		scratch->base = map(size);
	else
		scratch->base = take_reserve(size);
	if (!scratch->base && !scratch->reserved) {
		scratch->reserved = true;
		scratch->base = take_spare(size);
	}
	return scratch->base;
}

void ptl_scratch_put(struct ptl_scratch *scratch)
{
	if (!scratch->base)
		return;
	if (scratch->reserved)
		set_used((uint32_t)(scratch->base - reserve.base));
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
	if (old.base == spare &&
	    atomic_load_explicit(&is_spare_used, memory_order_relaxed))
		return;
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
		unmap(old.base, old.size);
}

void ptl_scratch_drop(void)
{
	struct reserve old = reserve;

	reserve.size = 0;
	reserve.used = 0;
	reserve.base = NULL;
	if (old.base && (old.base == spare || !ptl_is_quiet()))
		unmap(old.base, old.size);
}
