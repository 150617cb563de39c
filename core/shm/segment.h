/* SPDX-License-Identifier: MIT */
/*
 * The segments in the run directory.  A segment is made under a temporary name
 * and appears under its own complete, or not at all.  Its space is allocated
 * before it is mapped, so that a full tmpfs is ENOSPC here and never SIGBUS in
 * the traced program.  No descriptor is kept.  All functions are
 * async-signal-safe and use system calls only.
 */
#ifndef PTL_CORE_SHM_SEGMENT_H
#define PTL_CORE_SHM_SEGMENT_H

#include "core/format/layout.h"
#include "core/shm/rundir.h"

#include <errno.h>

/*
 * Maps a new zeroed segment of `size' bytes, not yet visible.  `tmp' receives
 * its temporary name.  Returns 0, ENOSPC, EFBIG never (RLIMIT_FSIZE gives
 * ENOSPC), or another errno.  Owner: uid (only root can differ).
 */
int ptl_segment_create(int dir, uint64_t size, uint32_t uid, char *tmp,
		       void **map);

/*
 * ptl_segment_create() with space for the first bytes only.  The others are
 * holes: nobody may touch them before he knows that there is space for them,
 * too.
 */
int ptl_segment_create_growing(int dir, uint64_t space, uint64_t size,
			       uint32_t uid, char *tmp, void **map);

/* How long one can be: RLIMIT_FSIZE, which makes a longer one shorter. */
uint64_t ptl_segment_limit(void);

/* A segment that is not mapped: a descriptor, or a negative errno. */
int ptl_segment_make(int dir, uint64_t size, uint32_t uid, char *tmp);

/*
 * Makes it visible under `name'.  EEXIST if there is one by that name, in
 * which case the temporary file is gone and the mapping still the caller's.
 */
int ptl_segment_publish(int dir, const char *tmp, const char *name);

/* At most so much of a stream is holes: what it may grow by.  With it one of
 * the default size can still be copied: PTL_SHM_COPY_MAX. */
#define PTL_SHM_GROWTH (UINT64_C(192) << 20)

/*
 * Maps a segment that is there, after checking owner, regular file, mode, size
 * against prefix, magic, version, byte order, and of another user's file that
 * it has no holes but for PTL_SHM_GROWTH.  Its owner can still cut it short at
 * any time, and then to touch it is SIGBUS: see ptl_segment_copy().  Min_size:
 * the least total size that makes sense.  Returns 0, ENOENT, EPERM, EBADMSG
 * (not one of ours, or damaged), or, for want of resources, ENOMEM, EMFILE,
 * ENFILE. `map' and `size' untouched on failure.
 */
int ptl_segment_attach(int dir, const char *name, uint32_t magic,
		       uint64_t min_size, uint32_t uid, void **map,
		       uint64_t *size);

/* How large one is that grows: `room' bytes are mapped, of which those that the
 * file has can be used, at least min_size. */
struct ptl_segment_growing {
	uint64_t min_size, room;
};

/* ptl_segment_attach() of one that grows. */
int ptl_segment_attach_growing(int dir, const char *name, uint32_t magic,
			       const struct ptl_segment_growing *growing,
			       uint32_t uid, void **map, uint64_t *size);

/* Takes space for so many bytes of such a one.  Returns 0, ENOSPC, errno. */
int ptl_segment_grow(int dir, const char *name, uint32_t magic, uint64_t size,
		     uint32_t uid);

/*
 * ptl_segment_attach(), of a copy in memory of our own, which no other process
 * changes or cuts short while we look at it; ENOMEM if it is larger than
 * PTL_SHM_COPY_MAX.
 */
#define PTL_SHM_COPY_MAX (UINT64_C(256) << 20)
int ptl_segment_copy(int dir, const char *name, uint32_t magic,
		     uint64_t min_size, uint32_t uid, void **map,
		     uint64_t *size);

/* ptl_segment_copy() with room for so many bytes, those that the file lacks
 * being 0. */
int ptl_segment_copy_growing(int dir, const char *name, uint32_t magic,
			     const struct ptl_segment_growing *growing,
			     uint32_t uid, void **map, uint64_t *size);

/* Reads so many bytes of a segment that is there, checked as by attach. */
int ptl_segment_peek(int dir, const char *name, uint32_t magic, uint32_t uid,
		     uint64_t offset, void *to, size_t size);

/* Fills in a prefix.  The magic is what attach accepts. */
void ptl_segment_prefix(struct ptl_shm_prefix *prefix, uint32_t magic,
			uint32_t head_size, uint64_t total_size, uint64_t id);

/* A 62-bit number, unique, never 0. */
uint64_t ptl_segment_new_id(void);

/* Of what could not be attached: is it gone, or not what it should be?  Other
 * errors say nothing of it: we have no descriptor left, say. */
PTL_INLINE bool ptl_segment_is_gone(int err)
{
	return err == ENOENT || err == EBADMSG || err == EPERM;
}

#endif
