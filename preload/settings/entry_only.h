/* SPDX-License-Identifier: MIT */
/* Functions of libraries whose return is not recorded, by their names. */
#ifndef PTL_PRELOAD_SETTINGS_ENTRY_ONLY_H
#define PTL_PRELOAD_SETTINGS_ENTRY_ONLY_H

#include <stdbool.h>
#include <stddef.h>

#include "preload/settings/pattern.h"

static inline bool ptl_is_entry_only(const char *name)
{
	static const char *const entry_only[] = {
		/* Functions that look at their caller. */
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
		/* Functions that return twice, or elsewhere, or not at all. */
		"*setjmp",
		"*longjmp",
		"*longjmp_chk",
		"*vfork",
		"*context",
		"__cxa_throw",
		"__cxa_rethrow",
		"pthread_exit",
		"__pthread_unwind*",
		/* Functions that do so, too, or may; or their own events say
		   how they end. */
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

	for (size_t i = 0; i < sizeof(entry_only) / sizeof(*entry_only); i++)
		if (ptl_pattern_fits(entry_only[i], name))
			return true;
	return false;
}

#endif
