/* SPDX-License-Identifier: MIT */
/*
 * A process that shall record nothing by itself stands aside of the streams
 * that it found: it is known, and another image of it is traced by them.
 */
#ifndef PTL_CORE_PROCESS_ASIDE_H
#define PTL_CORE_PROCESS_ASIDE_H

#include "core/base.h"

/*
 * After ptl_join_init(): the streams that it found are not recorded in, until
 * the process comes after all, or another image of it.
 */
void ptl_aside_begin(bool for_good);
void ptl_aside_end(bool also_for_good);

/* For a fork child that has got an entry of its own. */
void ptl_aside_again(void);

/* Shall the process record nothing by itself?  And is there a stream that we
 * stand aside of? */
bool ptl_aside_is_on(void);
bool ptl_aside_misses(void);

#endif
