/* SPDX-License-Identifier: MIT */
/*
 * The table of names of a family of processes.  A process makes it apart, when
 * it opens its first name (apart.h); who has a stream trace the family puts it
 * into a file of the run directory, where it outlives them all.  The ids of its
 * names stay the same: first the former table says where they go, then it is
 * closed, then they are copied, all in the same order, by everybody who needs
 * them, until all are there.  So who is killed on the way holds nobody up.
 */
#ifndef PTL_CORE_SHM_FAMILY_H
#define PTL_CORE_SHM_FAMILY_H

#include "core/format/names.h"

/*
 * For who has a stream trace a process: the file of the table that `id' (in the
 * process's entry) names, made and put there if there is none yet; another's
 * may come first.  Returns 0, or what ptl_segment_attach() or
 * ptl_segment_create() does.  The caller unmaps sizeof(struct ptl_shm_names)
 * bytes.
 */
int ptl_family_names(int dir, const struct ptl_shm_ident *maker,
		     _Atomic uint64_t *id, struct ptl_shm_names **names);

/*
 * Takes memory for more of the heap, where ptl_names_open() says ENOMEM.
 * Returns 0 or ENOMEM: there is none.  By a system call that fails where the
 * program would get SIGBUS.
 */
int ptl_family_grow(struct ptl_shm_names *names);

/* Maps table `id'.  Returns 0 or what ptl_segment_attach() does. */
int ptl_family_find(int dir, uint32_t uid, uint64_t id,
		    struct ptl_shm_names **names);

/* Maps a copy of the table: see ptl_segment_copy(). */
int ptl_family_copy(int dir, uint32_t uid, uint64_t id,
		    struct ptl_shm_names **names);

/* Where the names of a table have gone, its own id if nowhere; the same of one
 * that is found by its id; 0: it is not found. */
uint64_t ptl_family_place(const struct ptl_shm_names *names);
uint64_t ptl_family_place_of(uint32_t uid, uint64_t id);

/*
 * Has the names of a table that is apart go to that one, if they go nowhere
 * yet, and all of them be there.  Returns 0, or why they are not: EEXIST,
 * other names have their ids; ENOMEM.
 */
int ptl_family_move(struct ptl_shm_names *from, struct ptl_shm_names *to);

/* A new table with the names of another, which have the same ids in it. */
int ptl_family_again(int dir, const struct ptl_shm_ident *maker,
		     struct ptl_shm_names *from, uint64_t *id,
		     struct ptl_shm_names **names);

#endif
