/* SPDX-License-Identifier: MIT */
/*
 * Bridges: the memory that a stream's records go through where its file cannot
 * be reached, since a process has become another user's, or sees another
 * /dev/shm.  It is System V shared memory, made by who is still inside, in the
 * right user's name: it needs no path and no descriptor, nobody else can have
 * it, and, other than a file, its owner cannot cut it short under a peer.
 *
 * It is announced in the segment, which the maker has mapped until its exec:
 * those that are announced there are to be read with it, and removed with it.
 * All of it is async-signal-safe.
 */
#ifndef PTL_CORE_SHM_BRIDGE_H
#define PTL_CORE_SHM_BRIDGE_H

#include "core/shm/map.h"

PTL_INLINE uint32_t ptl_guest_state(uint64_t word)
{
	return word & 0xff;
}

PTL_INLINE uint64_t ptl_guest_word(uint32_t state, uint32_t key, uint32_t tid)
{
	return (uint64_t)key << 32 | (tid & 0xffffff) << 8 | state;
}

PTL_INLINE uint32_t ptl_guest_key(uint64_t word)
{
	return (uint32_t)(word >> 32);
}

PTL_INLINE uint32_t ptl_guest_tid(uint64_t word)
{
	return (uint32_t)word >> 8;
}

/* Is there a list of bridges, with anything in it ever? */
PTL_INLINE bool ptl_bridge_any(const struct ptl_map *map)
{
	/* Pairs with announce() in bridge.c. */
	return atomic_load_explicit(&map->log->bridges.announced,
				    memory_order_acquire) != 0;
}

/*
 * Finds the stream's bridge for the caller's effective user, or makes one, and
 * says in it that this process will come; NULL, or why there is none.  *id is
 * what ptl_bridge_attach() is to be given.
 */
const char *ptl_bridge_reach(struct ptl_map *map,
			     const struct ptl_shm_ident *who, uint32_t image,
			     int32_t *id);

/* Lists in the stream itself a process that records in it, and that no registry
 * of the stream's user has. */
void ptl_bridge_list(struct ptl_map *map, const struct ptl_shm_ident *who,
		     uint32_t image, uint32_t state);

/*
 * Maps a bridge of stream `id'.  Of another stream, or not a bridge of the same
 * shape as that of `like', if that is not NULL: EBADMSG.  Other errors are
 * those of shmat(2).
 */
int ptl_bridge_attach(int32_t shmid, uint64_t id, const struct ptl_map *like,
		      struct ptl_map **map);

/* Would the controller not see what the caller makes? */
bool ptl_bridge_is_elsewhere(const struct ptl_map *map);

/* Is it of the caller's effective user, by whatever number? */
bool ptl_bridge_is_mine(int32_t shmid);

/* The bridge of place i of the list, mapped; NULL: there is none, or none that
 * is good. */
struct ptl_map *ptl_bridge_at(struct ptl_map *map, unsigned int i);

/* How many processes have it mapped, the controller left out. */
unsigned int ptl_bridge_users(const struct ptl_map *map, unsigned int i);

/* The state, filter and time of clearing of the stream, in all its bridges.
 * After each change of them. */
void ptl_bridge_mirror(struct ptl_map *map);

/* All is read: removes the bridge of place i, which the controller has mapped,
 * if nobody else has it, and it is left.  False: somebody comes. */
bool ptl_bridge_retire(struct ptl_map *map, unsigned int i,
		       struct ptl_map *bridge,
		       bool (*is_left)(struct ptl_map *bridge));

/* How many bridges there are that the caller cannot see, or not remove: they
 * are in another IPC namespace, or not made yet and another user's. */
unsigned int ptl_bridge_hidden(const struct ptl_map *map);

/* The stream is no more: neither are its bridges; who has one keeps it. */
void ptl_bridge_remove_all(struct ptl_map *map);

/* What a maker that was killed has left. */
void ptl_bridge_collect(struct ptl_map *map);

#endif
