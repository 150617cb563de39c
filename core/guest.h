/* SPDX-License-Identifier: MIT */
/*
 * Before everything else in the library, whatever the user's flags say: it
 * defines both twins of open() and open64(), and read() beside __read_chk(),
 * and calls nothing that other libcs do not have.
 */
#ifndef PTL_CORE_GUEST_H
#define PTL_CORE_GUEST_H

#undef _FILE_OFFSET_BITS
#undef _FORTIFY_SOURCE
#undef _TIME_BITS

#endif
