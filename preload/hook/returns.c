/* SPDX-License-Identifier: MIT */
/*
 * While a function runs whose return is recorded, its return address is one of
 * ours.  For most functions that does not matter; here are the others.
 */
#include "preload/hook/returns.h"

#include "preload/settings/pattern.h"

#include <stddef.h>

static const char *const entry_only[] = {
	/* These look at their caller. */
	"dlopen",
	"dlmopen",
	"dlsym",
	"dlvsym",
	"dl_iterate_phdr",
	"_dl_*",
	"mcount",
	"_mcount",
	"__fentry__",
	"__cyg_profile_*",
	"__morestack*",
	"_Unwind_*",
	"posix_trace_*",
	/* These return twice, or elsewhere, or not at all. */
	"*setjmp",
	"*longjmp",
	"*longjmp_chk",
	"*vfork",
	"*context",
	"__cxa_throw",
	"__cxa_rethrow",
	"pthread_exit",
	"__pthread_unwind*",
	/* These do so, too, or may; or their own events say how they end. */
	"fork",
	"__fork",
	"_Fork",
	"clone",
	"__clone",
	"daemon",
	"syscall",
	"execl",
	"execle",
	"execlp",
	"execv",
	"execve",
	"execveat",
	"execvp",
	"execvpe",
	"fexecve",
	"_exit",
	"_Exit",
	"quick_exit",
	"pthread_create",
	"thrd_create",
	/* Compilers generate calls of it that do not follow the calling
	 * convention. */
	"__tls_get_addr",
};

bool ptl_returns_allowed(const char *name)
{
	for (size_t i = 0; i < PTL_ARRAY_SIZE(entry_only); i++)
		if (ptl_pattern_fits(entry_only[i], name))
			return false;
	return true;
}

bool ptl_returns_work(void)
{
#if defined(__x86_64__)
	uint64_t shadow = 0;

	/* rdspq leaves the value unchanged if there is no shadow stack. */
	__asm__("rdsspq %0" : "+r"(shadow));
	return shadow == 0;
#elif defined(__aarch64__)
	/* chkfeat leaves the bit of the guarded control stack unchanged if
	 * there is none.  Calls and returns are in pairs here, but this was
	 * never tried on such a processor. */
	register uint64_t feature __asm__("x16") = 1;

	__asm__("hint 40" : "+r"(feature));
	return feature != 0;
#endif
}
