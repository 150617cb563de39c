/* SPDX-License-Identifier: MIT */
/*
 * The life of a chunk: who may write to it, who may reuse it.  The states are
 * drawn in layout.h.  Every step is one compare-and-swap on `own', so that a
 * thread killed anywhere leaves a state that says what remains to be done.
 * Lock-free and async-signal-safe.
 */
#ifndef PTL_CORE_CHUNK_H
#define PTL_CORE_CHUNK_H

#include "core/shm/map.h"

PTL_INLINE uint64_t ptl_own(uint32_t state, uint32_t gen, uint32_t tid)
{
	return (uint64_t)tid << 40 | (uint64_t)(gen & 0xffff) << 16 | state;
}

PTL_INLINE uint32_t ptl_own_state(uint64_t own)
{
	return own & 0xf;
}

PTL_INLINE bool ptl_own_pinned(uint64_t own)
{
	return own & PTL_CHUNK_PINNED;
}

PTL_INLINE uint32_t ptl_own_gen(uint64_t own)
{
	return own >> 16 & 0xffff;
}

PTL_INLINE uint32_t ptl_own_tid(uint64_t own)
{
	return (uint32_t)(own >> 40);
}

PTL_INLINE uint32_t ptl_gen_next(uint32_t gen)
{
	gen = (gen + 1) & 0xffff;
	return gen ? gen : 1;
}

PTL_INLINE uint64_t ptl_read(uint32_t gen, uint64_t offset)
{
	return (uint64_t)gen << 48 | offset;
}

PTL_INLINE uint32_t ptl_read_gen(uint64_t read)
{
	return (uint32_t)(read >> 48);
}

PTL_INLINE uint64_t ptl_read_offset(uint64_t read)
{
	return read & (PTL_READ_TAKEN - 1);
}

/* Streams begin with different generations: who was interrupted in one does
 * not go on in its successor. */
PTL_INLINE void ptl_chunk_init(struct ptl_shm_chunk *chunk, uint64_t stream)
{
	uint32_t gen = ptl_gen_next((uint32_t)stream);

	atomic_init(&chunk->own, ptl_own(PTL_CHUNK_FREE, gen, 0));
	atomic_init(&chunk->read, ptl_read(gen, 0));
}

/* A chunk claimed: the caller alone may write to it from `offset' on. */
struct ptl_claim {
	uint32_t index;
	uint32_t gen;
	uint64_t offset;
	uint64_t span; /* offset + 1 of the span now in force, or 0 */
};

enum ptl_claim_for {
	PTL_CLAIM_KEEP, /* records of a thread, as long as it lasts */
	PTL_CLAIM_ONCE, /* one record */
	PTL_CLAIM_OWN,	/* one of the controller's, for which room is kept */
};

/*
 * Finds a chunk with room for `bytes' and makes tid its owner: one that a
 * former owner left unfinished, a free one, in a LOOP stream the oldest
 * closed one, whose unread events are then lost and counted.  With `look'
 * the owners of open chunks are looked for too (system calls), what the dead
 * left is put to use, and what others hold for one record is waited for, some
 * milliseconds at most.  Only so many threads may keep a chunk, and only
 * while some others remain; who gets none to keep claims for each record
 * (once.c), so that any number of threads can share what is there.  False:
 * there is none.
 */
bool ptl_chunk_claim(struct ptl_map *map, uint32_t tid, uint64_t bytes,
		     enum ptl_claim_for use, bool look,
		     struct ptl_claim *claim);

/* Of the word `used'.  Foreign bytes: the chunk ends where it ends. */
PTL_INLINE uint64_t ptl_used(const struct ptl_map *map, uint64_t word)
{
	uint64_t bytes = word & ((UINT64_C(1) << PTL_USED_BITS) - 8);

	return PTL_MIN(bytes, map->chunk_size);
}

/* How many events those are; 0: nobody counted them. */
PTL_INLINE uint64_t ptl_used_events(uint64_t word)
{
	return word >> PTL_USED_BITS;
}

/* The owner is done with it; written up to `used', with so many `events' if he
 * knows, else 0.  Readers will free it. */
void ptl_chunk_close(struct ptl_map *map, uint32_t index, uint64_t used,
		     uint32_t events, bool pinned);

/* The owner leaves; another may go on at `used'. */
void ptl_chunk_release(struct ptl_map *map, uint32_t index, uint32_t tid,
		       uint64_t used);

/*
 * Thread tid, whose number the caller has now, left the chunk without a word:
 * another program was in its place.  What it left is put to use; but in a
 * stream of another pid namespace that number is another's.
 */
void ptl_chunk_abandoned(struct ptl_map *map, uint32_t index, uint32_t tid);

/* The frame that a pinned chunk waited for is gone. */
void ptl_chunk_unpin(struct ptl_map *map, uint32_t index, uint32_t gen);

/*
 * Takes the chunks of threads that are no more from them, ends cleanings their
 * cleaner did not, and unpins for the dead.  Returns how many it changed.
 */
unsigned int ptl_chunk_reap(struct ptl_map *map);

/*
 * Finishes the oldest chunk that thread tid, the caller, has open or was
 * cleaning besides that of its reservation word, if there are more than
 * `spare': what frames left by siglongjmp() had claimed.  True if there was
 * one.
 */
bool ptl_chunk_strays(struct ptl_map *map, uint32_t tid, const uint64_t *word,
		      unsigned int spare);

/*
 * Everything in a closed or left chunk of generation gen was consumed: zeroes
 * and frees it.  False if it is not so any more.
 */
bool ptl_chunk_free(struct ptl_map *map, uint32_t index, uint32_t gen,
		    uint32_t tid);

#endif
