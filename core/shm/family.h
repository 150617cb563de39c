/* SPDX-License-Identifier: MIT */
/*
 * The segments that name tables live in: one for each family of processes,
 * made when the first name or stream asks for it.
 */
#ifndef PTL_CORE_SHM_FAMILY_H
#define PTL_CORE_SHM_FAMILY_H

#include "core/format/names.h"

/*
 * The table that `id' (in a process's entry) names, made and put there if there
 * is none yet; another's may come first.  Returns 0, or what
 * ptl_segment_attach() or ptl_segment_create() does.  The caller unmaps
 * sizeof(struct ptl_shm_names) bytes.
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

/* The same, of a copy: see ptl_segment_copy(). */
int ptl_family_copy(int dir, uint32_t uid, uint64_t id,
		    struct ptl_shm_names **names);

/* A new table with the names of another, which have the same ids in it. */
int ptl_family_again(int dir, const struct ptl_shm_ident *maker,
		     struct ptl_shm_names *from, uint64_t *id,
		     struct ptl_shm_names **names);

#endif
