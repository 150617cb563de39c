/* SPDX-License-Identifier: MIT */
/*
 * Who is there: live processes of a stream, live streams, and what the dead
 * left in the run directory.  Controllers and analyzers only.
 */
#ifndef PTL_CORE_CENSUS_H
#define PTL_CORE_CENSUS_H

#include "core/format/layout.h"
#include "core/shm/map.h"

/*
 * How many live processes stream `id' traces.  For those that died without a
 * word process:exit is recorded in their name.
 */
unsigned int ptl_census_processes(uint32_t uid, uint64_t id);

/* The stream is dead: no process shall refer to it any more. */
void ptl_census_unname(uint32_t uid, uint64_t id);

/* A child was reaped, wait status known or -1: the same for it alone. */
void ptl_census_ended(const struct ptl_shm_ident *ident, int wait_status);

/*
 * Recovers the streams of dead controllers, and removes what nobody needs
 * any more.  Returns how many live streams there are in the directory.  Of
 * another user's it only counts them.
 */
unsigned int ptl_census_collect(uint32_t uid);

#endif
