/* SPDX-License-Identifier: MIT */
/*
 * Chunks that a stream does not have yet.  Stream-min-size is what its creator
 * takes at once; a stream with log, whose events go on to a disk, may take more
 * when there are more threads than chunks, or more events than its flusher has
 * written so far.  The segment is as long as it can become, and whoever needs a
 * chunk gives it memory, by one system call that fails, and does not fault, if
 * there is none.  What was taken stays until the stream ends.
 *
 * Chunks from head->present on are not there, and all words of their entries
 * are 0.
 */
#ifndef PTL_CORE_BUFFER_GROWTH_H
#define PTL_CORE_BUFFER_GROWTH_H

#include "core/shm/map.h"

/*
 * Makes the next chunk, OPEN, for the calling thread tid; returns its index, or
 * UINT32_MAX: there can be no more, or there is no memory, or this kernel
 * cannot tell (before Linux 5.14).
 */
uint32_t ptl_growth_take(struct ptl_map *map, uint32_t tid, uint32_t open);

/* For those who may make no system calls: sees to it that a third of all chunks
 * is free, if that can be. */
void ptl_growth_lend(struct ptl_map *map, uint32_t tid);

#endif
