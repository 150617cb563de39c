/* SPDX-License-Identifier: MIT */
/* Of --enable-coverage: what has been counted goes to its files before an exec
 * or an end that forgets it. */
#ifndef PTL_CORE_SYS_COVERAGE_H
#define PTL_CORE_SYS_COVERAGE_H

#include "core/base.h"

#ifdef PTL_COVERAGE
void __gcov_dump(void);
void __gcov_reset(void);

PTL_INLINE void ptl_coverage_save(void)
{
	__gcov_dump();
	__gcov_reset();
}
#else
PTL_INLINE void ptl_coverage_save(void)
{
}
#endif

#endif
