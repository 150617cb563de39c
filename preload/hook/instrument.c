/* SPDX-License-Identifier: MIT */
/*
 * Programs whose functions call us because of a compiler option:
 * -finstrument-functions has an entry and an exit, -pg and -mfentry (mcount.S)
 * an entry only.  Other definitions of these functions, those of libc's
 * profiler or of a library of the program, are called as if we were not there.
 * A function that is patched (preload/patch/) calls those alone.
 */
#include "core/core.h"
#include "core/sys/syscall.h"

#include "preload/hook/hooks.h"
#include "preload/libc/lookup.h"

#include <trace.h>

#define HOOK __attribute__((no_instrument_function))

typedef void cyg_fn(void *function, void *site);

void __cyg_profile_func_enter(void *function, void *site);
void __cyg_profile_func_exit(void *function, void *site);

/* The next definition after ours; NULL: none, or not looked up yet. */
static cyg_fn *next_enter, *next_exit;

PTL_INLINE HOOK void record(enum ptl_sysevent id, const void *function,
			    const void *site)
{
	uint64_t callee = (uintptr_t)function;

	ptl_core_event(id, &callee, sizeof(callee), site);
}

/* Before the constructor, in the resolver of an IFUNC, we may not even be
 * relocated. */
PTL_EXPORT HOOK void __cyg_profile_func_enter(void *function, void *site)
{
	if (PTL_UNLIKELY(!next_enter))
		return;
	if (_PTL_ACTIVE(&posix_trace_active_np))
		record(PTL_EV_CALL_ENTER, function, site);
	next_enter(function, site);
}

PTL_EXPORT HOOK void __cyg_profile_func_exit(void *function, void *site)
{
	if (PTL_UNLIKELY(!next_exit))
		return;
	if (_PTL_ACTIVE(&posix_trace_active_np))
		record(PTL_EV_CALL_EXIT, function, site);
	next_exit(function, site);
}

static HOOK void nothing(void *function, void *site)
{
	(void)function;
	(void)site;
}

/* Like dlsym(RTLD_NEXT), which is wrapped. */
static void *find_next(const char *name, void *missing)
{
	void *real = NULL;

	return ptl_lookup_real(&real, name, missing);
}

static cyg_fn *find_cyg(const char *name)
{
	return (cyg_fn *)find_next(name, (void *)nothing);
}

#if defined(__x86_64__)

/* For mcount.S. */
void (*ptl_real_mcount)(void);
void (*ptl_real_fentry)(void);
const int ptl_mcount_id = PTL_EV_CALL_ENTRY;

static void find_mcount(void)
{
	ptl_real_mcount = (void (*)(void))find_next("_mcount", NULL);
	ptl_real_fentry = (void (*)(void))find_next("__fentry__", NULL);
}

#else

/* Here compilers make an ordinary call, with the function's return address as
 * argument. */
typedef void mcount_fn(void *site);
void _mcount(void *site);
static mcount_fn *next_mcount;

PTL_EXPORT HOOK void _mcount(void *site)
{
	if (PTL_UNLIKELY(!next_mcount))
		return;
	if (_PTL_ACTIVE(&posix_trace_active_np))
		record(PTL_EV_CALL_ENTRY, __builtin_return_address(0),
		       (void *)ptl_plain_address((uintptr_t)site));
	next_mcount(site);
}

static void find_mcount(void)
{
	next_mcount = (mcount_fn *)find_next("_mcount", NULL);
}

#endif

void ptl_instrument_init(void)
{
	find_mcount();
	next_enter = find_cyg("__cyg_profile_func_enter");
	next_exit = find_cyg("__cyg_profile_func_exit");
}
