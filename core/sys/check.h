/* SPDX-License-Identifier: MIT */
/*
 * What must be so where a state changes, in a build for developers: with
 * configure's --enable-checks the process ends where it is not so, and says
 * what was expected; in any other build nothing of it is compiled.  What a
 * check asks for must hold whatever a handler, another thread, or a death has
 * done before the line that it stands on: a table of the states is in
 * core/README.
 */
#ifndef PTL_CORE_SYS_CHECK_H
#define PTL_CORE_SYS_CHECK_H

#include "core/base.h"

#ifdef PTL_CHECKS
_Noreturn PTL_COLD void ptl_check_failed(const char *place,
					 const char *expected);
#define PTL_CHECK_LINE_(line) #line
#define PTL_CHECK_PLACE_(file, line) file ":" PTL_CHECK_LINE_(line)
#define PTL_CHECK(is_so) \
	((is_so) ? (void)0 : \
		   ptl_check_failed(PTL_CHECK_PLACE_(__FILE__, __LINE__), \
				    #is_so))
#else
/* What it names is used, and nothing is done. */
#define PTL_CHECK(is_so) ((void)sizeof(!(is_so)))
#endif

#endif
