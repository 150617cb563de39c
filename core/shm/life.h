/* SPDX-License-Identifier: MIT */
/*
 * Which processes of a registry live.  A program that has just started locks a
 * byte for as long as it is there (core/sys/lifeline.h); the number of the byte
 * is in the key of its entry.  A fork child has its parent's byte, which it
 * keeps locked, too: then the pid has to say which of the two is dead, where
 * it means something.
 *
 * A pid of another pid namespace means nothing here, and is not asked for.
 */
#ifndef PTL_CORE_SHM_LIFE_H
#define PTL_CORE_SHM_LIFE_H

#include "core/shm/registry.h"
#include "core/sys/ident.h"

/*
 * For the calling process: locks a byte of its own.  What number that has in
 * keys of dead processes is changed there.  Returns the number for its key,
 * PTL_LIFE_NONE if there is none to be had.
 */
uint32_t ptl_life_take(const struct ptl_registry *reg, int dir);

/* When that number is in its key: the byte that it had before, from its parent,
 * is let go. */
void ptl_life_let_go(void);

/*
 * Does the process of an entry that is LISTED or AWAITED live?  If it is a
 * zombie, *status is as from wait(2), or -1; unchanged if it is not known.
 */
enum ptl_life ptl_life_of(int dir, struct ptl_shm_entry *entry, uint64_t key,
			  int *status);

/*
 * Does it certainly, where a process of our pid namespace has its number?  The
 * namespace may have the number of one that is gone, and /proc show another's:
 * then a byte that is free says that it may be dead.
 */
bool ptl_life_is_sure(int dir, const struct ptl_shm_entry *entry, uint64_t key);

/*
 * The entry of the living process of that identity, which may be in another pid
 * namespace; otherwise as ptl_registry_find().
 */
struct ptl_shm_entry *ptl_life_find(const struct ptl_registry *reg, int dir,
				    const struct ptl_shm_ident *ident,
				    uint64_t *key);

/* Of bytes: which have been asked for, and which of these were locked then. */
struct ptl_life_bytes {
	uint64_t asked[PTL_ENTRIES_MAX / 64];
	uint64_t held[PTL_ENTRIES_MAX / 64];
};

/* Asks for those in the keys from that place on, once around: for some hundred,
 * which costs no more than a tenth of a millisecond. */
void ptl_life_ask(const struct ptl_registry *reg, int dir, uint32_t first,
		  struct ptl_life_bytes *bytes);

/* Is it the number of one? */
PTL_INLINE bool ptl_life_is_byte(uint32_t life)
{
	return life != PTL_LIFE_NONE && life <= PTL_ENTRIES_MAX;
}

/* Is the process that claims an entry, or has found its end, certainly gone? */
bool ptl_life_is_over(int dir, uint64_t key);

#endif
