/* SPDX-License-Identifier: MIT */
/*
 * While a function runs whose return is recorded, its return address is one of
 * ours.  For most functions that does not matter; see entry_only.h for the
 * others.
 */
#include "preload/hook/returns.h"

#include "preload/settings/entry_only.h"

bool ptl_returns_allowed(const char *name)
{
	return !ptl_is_entry_only(name);
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
#else
	return false;
#endif
}
