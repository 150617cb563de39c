/* SPDX-License-Identifier: MIT */
/*
 * A process inherits the filters of who made it, and they are only ever added
 * to.  Where a trace begins all calls are made, so what is there does no harm;
 * PTRACE_FILTERS hands on how many that were.  Further ones may kill.  To look
 * takes a new process longer than all else here, so an image that has seen none
 * come vouches for the one that it executes, at the end of PTRACE_STREAMS.
 */
#include "preload/launch/filter.h"

#include "preload/libc/libc.h"

#include "core/core.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include "preload/hook/crash.h"
#include "preload/hook/timer.h"
#include "preload/libc/env.h"
#include "preload/libc/lookup.h"
#include "preload/libc/owncalls.h"
#include "preload/libc/scratch.h"

#define FILTERS "PTRACE_FILTERS="

bool ptl_filter_vouched;

static int harmless;

/* A filter may have come unseen. */
static bool is_suspected;

/* The program is linked with us and nothing else wants us here: it has a filter
 * that lets us do what it asks for. */
static bool is_its_own;

/* -1: nothing is known. */
static int known(const char *streams, const char *filters)
{
	if (filters)
		return (int)ptl_atou(&filters, 10);
	return streams ? 0 : -1;
}

/* What vouches for us does not for what may get our environment as it is. */
static bool take_voucher(const char *streams)
{
	char *end = (char *)(uintptr_t)streams;

	while (streams && *end)
		end++;
	if (end == streams || end[-1] != PTL_ENV_CLEAN)
		return false;
	end[-1] = '\0';
	return true;
}

void ptl_filter_begin(char *const *envp)
{
	const char *streams = ptl_env_value(envp, "PTRACE_STREAMS=");

	if (take_voucher(streams) || ptl_filter_vouched)
		return;
	is_its_own = !streams &&
		     !ptl_env_names_us(ptl_env_value(envp, "LD_PRELOAD="));
	if (is_its_own)
		return;
	harmless =
		ptl_core_filters(known(streams, ptl_env_value(envp, FILTERS)));
}

void ptl_filter_hand_on(void)
{
	char setting[sizeof(FILTERS) + 20] = FILTERS;

	ptl_utoa(setting + sizeof(FILTERS) - 1, (uint64_t)harmless, 10);
	if (harmless && !ptl_env_setting(FILTERS))
		ptl_env_keep(setting);
}

static void *clock_of;

/* The kernel's number of a thread is in that of the clock that measures its
 * time, as glibc and musl make it.  0: it is not known. */
static uint32_t libc_tid(void)
{
	int (*get)(pthread_t thread, clockid_t * clock) = clock_of;
	clockid_t clock;

	return get(pthread_self(), &clock) == 0 ? (uint32_t) ~(clock >> 3) : 0;
}

/* The memory that exec, spawn and vfork will need must be mapped before. */
static void be_quiet(void)
{
	ptl_env_reserve(true);
	ptl_core_no_syscalls(
		ptl_lookup_real(&clock_of, "pthread_getcpuclockid", NULL) ?
			libc_tid :
			NULL);
	ptl_quiet_start();
}

bool ptl_filter_vouches(void)
{
	return !ptl_is_quiet() && !is_suspected &&
	       ptl_sys_door == PTL_DOOR_OPEN;
}

void ptl_filter_comes(void)
{
	is_suspected = false;
	ptl_crash_give_back();
	ptl_timer_give_back(NULL);
	be_quiet();
}

void ptl_filter_look_out(void)
{
	is_suspected = (!is_its_own || ptl_core_traced()) &&
		       !ptl_core_controls() && ptl_owncalls_any();
	if (is_suspected)
		be_quiet();
}

void ptl_filter_ask(void)
{
	if (!is_suspected || ptl_core_in_vfork_child())
		return;
	is_suspected = ptl_core_may_call_again();
	if (is_suspected)
		ptl_quiet_end();
}

void ptl_filter_go_on(void)
{
	if (is_suspected && !ptl_is_quiet())
		be_quiet();
}
