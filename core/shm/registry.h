/* SPDX-License-Identifier: MIT */
/*
 * The registry: a block in the run directory for each process that traces or
 * may be traced.  References to streams are added by controllers, copied by
 * children, and dropped by any process that finds the stream dead; each step is
 * one atomic operation, so no lock is needed and no death leaves half a step.
 */
#ifndef PTL_CORE_SHM_REGISTRY_H
#define PTL_CORE_SHM_REGISTRY_H

#include "core/format/layout.h"

PTL_INLINE uint64_t ptl_ref(uint64_t stream, bool inherited)
{
	return stream << 1 | inherited;
}

PTL_INLINE uint64_t ptl_ref_stream(uint64_t ref)
{
	return ref >> 1;
}

PTL_INLINE bool ptl_ref_inherited(uint64_t ref)
{
	return ref & 1;
}

/*
 * Does the block say that of its process (PTL_BLOCK_*)?  Relaxed: the answer
 * stands for itself; that of a dead process has been ordered by the kernel.
 */
PTL_INLINE bool ptl_registry_says(const struct ptl_shm_block *block,
				  uint32_t flag)
{
	return atomic_load_explicit(&block->flags, memory_order_relaxed) & flag;
}

/* Maps the block of that file name.  Returns 0, or as ptl_segment_attach(). */
int ptl_registry_attach(int dir, uint32_t uid, const char *name,
			struct ptl_shm_block **block);

/*
 * Maps the caller's block if it certainly is that, with no look into /proc: it
 * has the caller's number and its parent's, and an exec began a moment ago.
 * For ident->pidns may be wrong; if it is 0, false.
 */
bool ptl_registry_is_mine(int dir, const struct ptl_shm_ident *ident,
			  struct ptl_shm_block **block);

/*
 * Maps the block of process ident->pid if it has one that is its own and not
 * a dead namesake's (which is removed).  Returns 0, ENOENT, or as attach.
 */
int ptl_registry_find(int dir, const struct ptl_shm_ident *ident,
		      struct ptl_shm_block **block);

/* The image of a process that lives, nothing being mapped or removed; false:
 * there is no such process, or it has no block. */
bool ptl_registry_image(int dir, const struct ptl_shm_ident *ident,
			uint32_t *image);

/*
 * Makes a block for `ident' as `from' says, which is completed, publishes it
 * and maps it; with `at' in the place of the mapping there.  If another process
 * was first, that block is mapped instead, anywhere, and *mine is false.
 */
int ptl_registry_create(int dir, const struct ptl_shm_ident *ident,
			struct ptl_shm_block *from, void *at,
			struct ptl_shm_block **block, bool *mine);

void ptl_registry_unmap(struct ptl_shm_block *block);

/* What its process is about to execute, or NULL: see layout.h. */
void ptl_registry_program(struct ptl_shm_block *block, const char *path);

/* Its process is about to call exec, or did and is still there. */
void ptl_registry_exec(struct ptl_shm_block *block, bool begins);

/* Removes it from the run directory. */
void ptl_registry_unlink(int dir, const struct ptl_shm_ident *ident);

/*
 * Puts a reference in force; a stranger's if in that stream the ids of this
 * family mean nothing; calls: it records calls of libc.  Returns its index, or
 * -1 if all are taken.  Dead ones are for the caller to drop before.
 */
int ptl_registry_add(struct ptl_shm_block *block, uint64_t ref, bool stranger,
		     bool calls);

/* Takes reference i out of force, if it still names that stream. */
void ptl_registry_drop(struct ptl_shm_block *block, unsigned int i,
		       uint64_t stream);

/* An event for the stream of reference i is lost, since that cannot be mapped;
 * nothing if the reference is gone. */
void ptl_registry_miss(struct ptl_shm_block *block, unsigned int i);

/* Puts all references in force: some may be there without their bits. */
void ptl_registry_wake(struct ptl_shm_block *block);

/* The index of a stream in the block, or -1. */
int ptl_registry_index(const struct ptl_shm_block *block, uint64_t stream);

#endif
