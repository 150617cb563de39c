/* SPDX-License-Identifier: MIT */
/*
 * The processes of a bridge: what the registry is for others.  The list is in
 * the bridge itself, so all of them can write to it, and lie.
 */
#ifndef PTL_CORE_SHM_MEMBERS_H
#define PTL_CORE_SHM_MEMBERS_H

#include "core/shm/map.h"
#include "core/sys/ident.h"

PTL_INLINE uint64_t ptl_member_word(uint32_t pid, uint32_t image,
				    uint32_t state)
{
	return (uint64_t)pid << 32 | (image & 0xffffff) << 8 | state;
}

PTL_INLINE uint32_t ptl_member_pid(uint64_t word)
{
	return (uint32_t)(word >> 32);
}

PTL_INLINE uint32_t ptl_member_image(uint64_t word)
{
	return (uint32_t)word >> 8;
}

PTL_INLINE uint32_t ptl_member_state(uint64_t word)
{
	return word & 0xff;
}

/* The entry of a process, by its pid and namespace; NULL: there is none. */
struct ptl_shm_member *ptl_members_find(struct ptl_map *map,
					const struct ptl_shm_ident *who);

/* Enters a process, or changes what is said of it.  Where there is no room for
 * it its end will not be known, if it is killed. */
void ptl_members_enter(struct ptl_map *map, const struct ptl_shm_ident *who,
		       uint32_t image, uint32_t state);

/* Takes it upon the caller to record the end of a process that has joined: one
 * of all that would.  *image is that of the process. */
bool ptl_members_claim_end(struct ptl_map *map, const struct ptl_shm_ident *who,
			   uint32_t *image);

/* The process is not one of them any more. */
void ptl_members_forget(struct ptl_map *map, const struct ptl_shm_ident *who);

/* Who it is. */
struct ptl_shm_ident ptl_members_ident(const struct ptl_shm_member *member);

/* Is it of another pid namespace?  Then the kernel's count of those that have
 * the bridge tells more of its life. */
bool ptl_members_is_elsewhere(const struct ptl_shm_member *member);

/* The life of one, alive if that is not known; status as from
 * ptl_ident_life().  Last: it is not asked again, and may take long. */
enum ptl_life ptl_members_life(struct ptl_shm_member *member, bool last,
			       int *status);

/* Does one of them live, as far as can be seen from here? */
bool ptl_members_live(struct ptl_map *map);

#endif
