/* SPDX-License-Identifier: MIT */
/*
 * Threads that are told of twice.  Of a process that ran before, each thread
 * has events of its own.  One that was begun while they were opened may have
 * inherited those of another as well; and so has what it begins.  Of each
 * thread one origin counts: its own events, or those of one other thread.
 */
#ifndef PTL_TOOLS_SAMPLER_ORIGINS_H
#define PTL_TOOLS_SAMPLER_ORIGINS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The event of that number was opened for that thread. */
void ptl_origins_own(pid_t tid, uint64_t id);

/* Was one?  It has not ended since. */
bool ptl_origins_is_own(pid_t tid);

/* Is a record of that thread told in another way, too?  Where no event was
 * opened by ptl_origins_own() none is. */
bool ptl_origins_is_double(pid_t tid, uint64_t id);

/* The event of that number tells of pages, where others are of samples. */
void ptl_origins_page(uint64_t id);
bool ptl_origins_is_page(uint64_t id);

/* Of the child those count that count of the parent. */
void ptl_origins_fork(pid_t parent, pid_t child);
void ptl_origins_end(pid_t tid);

#endif
