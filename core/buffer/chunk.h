/* SPDX-License-Identifier: MIT */
/*
 * The life of a chunk: which thread may write to it, which may reuse it.  The
 * states are drawn in layout.h.  Every step is one compare-and-swap on `own',
 * so that a thread killed anywhere leaves a state that says what remains to be
 * done.  Lock-free and async-signal-safe.
 */
#ifndef PTL_CORE_BUFFER_CHUNK_H
#define PTL_CORE_BUFFER_CHUNK_H

#include "core/format/chunk_words.h"
#include "core/shm/map.h"

/* A chunk claimed: the caller alone may write to it from `offset' on. */
struct ptl_claim {
	uint32_t index;
	uint32_t gen;
	uint64_t offset;
	uint64_t span; /* offset + 1 of the span now in force, or 0 */
};

enum ptl_claim_for {
	PTL_CLAIM_KEEP, /* records of a thread, as long as it lasts */
	PTL_CLAIM_NEXT, /* the same, in place of the one that it has; not in a
			 * handler that interrupted a recorder */
	PTL_CLAIM_ONCE, /* one record */
	PTL_CLAIM_OWN,	/* one of the controller's, for which room is kept */
};

enum ptl_claim_by {
	PTL_CLAIM_STORES, /* no system call */
	PTL_CLAIM_GROWS,  /* those of growth.h only */
	PTL_CLAIM_ASKS,	  /* any: who lives, and to wait */
};

/*
 * Finds a chunk with room for `bytes' and makes tid its owner: one that a
 * former owner left unfinished, a free one, in a LOOP stream the oldest closed
 * one, whose unread events are then lost and counted; else a new one, if the
 * stream may grow.  If it asks, the chunks of dead owners are used, too, and a
 * chunk that another
 * thread holds for one record is waited for, some milliseconds at most.  Not
 * all chunks may be kept: a thread that gets none to keep claims one for each
 * record (oneshot.c), so that any number of threads can share the rest.  False:
 * there is none.
 */
bool ptl_chunk_claim(struct ptl_map *map, uint32_t tid, uint64_t bytes,
		     enum ptl_claim_for use, enum ptl_claim_by by,
		     struct ptl_claim *claim);

/* The owner is done with it; written up to `used', with so many `events' if
 * that is known, else 0.  Readers will free it. */
void ptl_chunk_close(struct ptl_map *map, uint32_t index, uint64_t used,
		     uint32_t events, bool pinned);

/* The owner goes on changing its records: nobody reads them before it leaves,
 * or is gone.  False: it is not the owner. */
bool ptl_chunk_keep(struct ptl_map *map, const struct ptl_claim *claim);

/* The owner leaves; another may go on at `used'. */
void ptl_chunk_release(struct ptl_map *map, uint32_t index, uint32_t tid,
		       uint64_t used);

/*
 * The frame that a chunk waited for, pinned by thread tid, is gone.  `resumes':
 * it was left though there was room, and another may go on in it.
 */
void ptl_chunk_unpin(struct ptl_map *map, uint32_t index, uint32_t gen,
		     uint32_t tid, bool resumes);

/*
 * Everything in a closed or left chunk of generation gen was consumed: empties
 * and frees it.  False if that has changed.
 */
bool ptl_chunk_free(struct ptl_map *map, uint32_t index, uint32_t gen,
		    uint32_t tid);

#endif
