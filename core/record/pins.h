/* SPDX-License-Identifier: MIT */
/*
 * Which chunks of a thread are pinned: those that a handler closed over a
 * record that it interrupted.  They are not reused before that record's last
 * byte is stored.  Async-signal-safe.
 */
#ifndef PTL_CORE_RECORD_PINS_H
#define PTL_CORE_RECORD_PINS_H

#include "core/buffer/slot.h"

/* What there is of places in a chunk that are reserved. */
enum ptl_progress {
	PTL_COMMITTED, /* all */
	PTL_BEGUN,     /* at least the first words */
	PTL_RESERVED,  /* of the last not even that: it may not be bounded */
};

/* Of those of the chunk of `word', up to where that is. */
enum ptl_progress ptl_progress(const struct ptl_map *map, uint64_t word);

/* The chunk of `word' in stream i is about to be closed as pinned.  `resumes':
 * ptl_chunk_unpin(). */
void ptl_pins_set(struct ptl_slot *slot, unsigned int i, uint64_t word,
		  bool resumes);

/* What handlers interrupted has come to its end: all chunks are unpinned. */
void ptl_pins_clear(struct ptl_slot *slot);

/* Stream i is dead for this thread. */
void ptl_pins_forget(struct ptl_slot *slot, unsigned int i);

#endif
