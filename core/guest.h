/* SPDX-License-Identifier: MIT */
/*
 * Before everything else in the library, whatever the user's flags say: it
 * defines both twins of open() and open64(), read() beside __read_chk(), and
 * getchar(), of which the headers have a body of their own where compilers
 * optimize (clang does not export what is defined beside that); and it calls
 * nothing that other libcs do not have.
 */
#ifndef PTL_CORE_GUEST_H
#define PTL_CORE_GUEST_H

#undef _FILE_OFFSET_BITS
#undef _FORTIFY_SOURCE
#undef _TIME_BITS

#ifndef __NO_INLINE__
#define __NO_INLINE__ 1
#endif

#endif
