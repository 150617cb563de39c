/* SPDX-License-Identifier: MIT */
/*
 * While a function runs whose return is recorded its return address is one of
 * ours.  That is no matter to most; these are the others.
 */
#include "preload/hook/returns.h"

#include "preload/settings/pattern.h"

#include <stddef.h>

static const char *const entry_only[] = {
	/* Look who calls them. */
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
	/* Return twice, or elsewhere, or not at all. */
	"*setjmp",
	"*longjmp",
	"*longjmp_chk",
	"*vfork",
	"*context",
	"__cxa_throw",
	"__cxa_rethrow",
	"pthread_exit",
	"__pthread_unwind*",
	/* So do these, or may; or they tell themselves what comes of them. */
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
	/* Compilers know more of it than of others. */
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

	/* rdsspq; without a shadow stack, nothing. */
	__asm__("rdsspq %0" : "+r"(shadow));
	return shadow == 0;
#elif defined(__aarch64__)
	/* chkfeat: the bit of the guarded control stack stays if there is none.
	 * Calls and returns go in pairs here, but no such processor was there
	 * to try it. */
	register uint64_t feature __asm__("x16") = 1;

	__asm__("hint 40" : "+r"(feature));
	return feature != 0;
#endif
}
