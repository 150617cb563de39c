/* SPDX-License-Identifier: MIT */
/* Chunks that threads left open: since they died, or by siglongjmp(). */
#ifndef PTL_CORE_BUFFER_LEFTOVER_H
#define PTL_CORE_BUFFER_LEFTOVER_H

#include "core/shm/map.h"

/*
 * Thread tid, whose number the caller has now, left the chunk open: it was in
 * the image before an exec.  What it left is used; but not in a stream of
 * another pid namespace, where another thread has that number.
 */
void ptl_leftover_abandoned(struct ptl_map *map, uint32_t index, uint32_t tid);

/*
 * Looks after the chunks of dead threads: others may go on in those that they
 * had open, or pinned; and what they were cleaning is ended.  Returns how many
 * it changed.
 */
unsigned int ptl_leftover_reap(struct ptl_map *map);

/* Of one chunk.  True: something changed. */
bool ptl_leftover_reap_one(struct ptl_map *map, uint32_t index);

/*
 * In a chunk that the caller holds: of a recorder that will not go on, what it
 * has reserved, up to `end', and not begun becomes a record of nothing.  So who
 * goes on at `end' is not behind a zero word.
 */
void ptl_leftover_fill(const struct ptl_map *map, uint32_t index, uint64_t end);

/*
 * Finishes the oldest chunk that thread tid, the caller, has open or was
 * cleaning, other than that of its reservation word, if there are more than
 * `spare'.  Frames that were left by siglongjmp() had claimed them.  True if
 * there was one.
 */
bool ptl_leftover_strays(struct ptl_map *map, uint32_t tid,
			 const uint64_t *word, unsigned int spare);

#endif
