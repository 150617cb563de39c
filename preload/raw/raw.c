/* SPDX-License-Identifier: MIT */
/*
 * Which calls are recorded, and how: by what records syscall(), or by hand.
 */
#include "preload/raw/raw.h"

#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include "preload/hook/hooks.h"
#include "preload/libc/env.h"
#include "preload/libc/owncalls.h"
#include "preload/patch/patch.h"
#include "preload/raw/inside.h"

#include <errno.h>
#include <string.h>

#if defined(__x86_64__)

#include <cpuid.h>
#include <sys/syscall.h>

#define KINDS_SIZE UINT64_C(65536)

static bool is_inside; /* they are libc's own calls, not the program's */

/* What is done by hand uses all that libc does, where there is one. */
#if defined(PTL_STATIC)
#define call_by_hand ptl_raw_by_hand
static bool measure_vectors(void)
{
	return true;
}
#else
static uint32_t vectors_size; /* of the state of vector registers */

/* As large as the registers in use may make it. */
static bool measure_vectors(void)
{
	unsigned int a, b, c, d;

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) ||
	    !__get_cpuid_count(13, 0, &a, &b, &c, &d))
		return false;
	vectors_size = (b + 63) & -64u;
	return vectors_size <= 8192;
}

static __attribute__((noinline)) int call_by_hand(struct ptl_raw *raw)
{
	char *room = __builtin_alloca(vectors_size + 64);
	char *vectors = (char *)(((uintptr_t)room + 63) & -UINT64_C(64));
	int done;

	memset(vectors, 0, vectors_size);
	__asm__ volatile("xsave64 (%0)"
			 :
			 : "r"(vectors), "a"(-1), "d"(-1)
			 : "memory");
	done = ptl_raw_by_hand(raw);
	__asm__ volatile("xrstor64 (%0)"
			 :
			 : "r"(vectors), "a"(-1), "d"(-1)
			 : "memory");
	return done;
}
#endif

static bool call(struct ptl_raw *raw)
{
	ptl_raw_recorder *recorder = ptl_raw_number(raw->number);

	if (!recorder)
		return call_by_hand(raw) > 0;
	recorder(raw->number, raw->a, raw->b, raw->c, raw->d, raw->e, raw->f);
	return true;
}

/* Of libc's own calls those are recorded that no wrapper of ours records. */
static bool is_told(void)
{
	return is_inside && ptl_inside_is_called(ptl_raw_caller());
}

bool ptl_raw_call(struct ptl_raw *raw)
{
	struct ptl_raw *outer = ptl_raw_begin(raw);
	int error = errno;
	unsigned int missed = ptl_raw_missed();
	bool is_made;

	if (PTL_UNLIKELY(missed))
		ptl_raw_tell_missed(missed);
	is_made = !is_told() && call(raw);
	errno = error;
	ptl_raw_end(outer);
	return is_made;
}

/* ---- at the beginning ------------------------------------------------ */

static bool is_recorded_only(long number)
{
	return number == SYS_kill || number == SYS_tkill ||
	       number == SYS_tgkill || number == SYS_rt_sigaction;
}

/* Of the table a page is touched.  It stays. */
static char *room_for_kinds(void)
{
#if PTL_RAW_IS_STATIC
	static char room[2 * KINDS_SIZE] PTL_BULK;

	return room;
#else
	return ptl_sys_mmap(NULL, 2 * KINDS_SIZE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
#endif
}

static bool choose(void)
{
	char *room = room_for_kinds();

	if (room == MAP_FAILED)
		return false;
	ptl_raw_kinds =
		(unsigned char *)room + (-(uintptr_t)room & (KINDS_SIZE - 1));
	for (long i = 0; i < PTL_RAW_NUMBERS; i++) {
		if (is_inside && !ptl_inside_means(i))
			continue;
		if (ptl_raw_is_by_hand(i))
			ptl_raw_kinds[i] = is_recorded_only(i) ?
						   PTL_RAW_TRACED :
						   PTL_RAW_ALWAYS;
		else if (ptl_raw_number(i))
			ptl_raw_kinds[i] = PTL_RAW_TRACED;
	}
	return true;
}

#if !defined(PTL_STATIC)
static void look_inside(void)
{
	is_inside = true;
	if (!measure_vectors())
		ptl_patch_refuse("libc", "this processor cannot save its "
					 "registers");
	else if (!choose())
		ptl_patch_refuse("libc", "there is no memory");
	else if (ptl_inside_begin(ptl_raw_entry))
		ptl_thread_ends = ptl_raw_thread_ends;
}
#endif

void ptl_raw_init(char *const *envp, const char *exe)
{
	const char *why, *wanted = ptl_env_value(envp, "PTRACE_REACH=");
	bool is_go = ptl_owncalls_is_go();

#if !defined(PTL_STATIC)
	if (wanted && ptl_streq(wanted, "libc"))
		look_inside();
#endif
	if (!wanted ||
	    (!ptl_streq(wanted, "raw") && !ptl_streq(wanted, "static")))
		return;
	if (is_go)
		ptl_raw_use_stacks();
	if (!measure_vectors())
		why = "this processor cannot save its registers";
	else if (!choose())
		why = "there is no memory";
	else
		why = ptl_patch_calls(
			exe, PTL_RAW_IS_STATIC || is_go || ptl_owncalls_maybe(),
			ptl_raw_entry);
	if (!why)
		ptl_thread_ends = ptl_raw_thread_ends;
#if defined(PTL_STATIC)
	else if (why == ptl_patch_gs)
		ptl_raw_give_up(why);
#endif
	else if (PTL_RAW_IS_STATIC || is_go)
		ptl_raw_tell(exe, why);
}

#else

void ptl_raw_init(char *const *envp, const char *exe)
{
	(void)envp, (void)exe;
}

#endif
