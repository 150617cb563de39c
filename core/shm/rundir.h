/* SPDX-License-Identifier: MIT */
/*
 * The run directory, one for each user.  All functions are async-signal-safe
 * and use system calls only.
 */
#ifndef PTL_CORE_SHM_RUNDIR_H
#define PTL_CORE_SHM_RUNDIR_H

#include "core/format/layout.h"

/* Big enough for every file name in the run directory. */
#define PTL_SHM_NAME 64

void ptl_segment_name_stream(char *buf, uint64_t id); /* s.ID */
void ptl_segment_name_names(char *buf, uint64_t id);  /* t.ID */
void ptl_segment_name_beside(char *buf, enum ptl_shm_beside what,
			     uint64_t id); /* p.ID, f.ID */

/* PREFIXns.pid.tid.n, another one each time. */
void ptl_rundir_name_tmp(char *buf, const char *prefix);

/* In a directory; -EEXIST if there is one of the new name. */
int ptl_rundir_rename(int dir, const char *from, const char *to);

/*
 * Opens the run directory of uid: the first that is good of the places that it
 * may have (place.h).  If none is and `create', it is made in the first of
 * /dev/shm that is vacant; only for one's own uid, or by root, which gives it
 * to uid.  All processes of a user come to the same; each stays where it found
 * it, as long as that is good.  Returns a descriptor for the caller to close,
 * or -ENOENT, -EPERM (there is something else in a place), -EROFS, -errno.
 */
int ptl_rundir_open(uint32_t uid, bool create);

/* Is there certainly no such file, or one that can only be read?  In one system
 * call, where the directory has been found before, with no proof that the
 * directory is what it must be: false means nothing. */
bool ptl_rundir_lacks(uint32_t uid, const char *name);

/*
 * Opens the run directory for who makes a stream: if it can be in no other
 * place, it is made in the last one, too.  A process that only looks for its
 * streams makes none there: all would find it, also those that have a /dev/shm.
 */
int ptl_rundir_make(uint32_t uid);

/* Opens it where it was found the last time, and nowhere else. */
int ptl_rundir_reopen(uint32_t uid);

/* Which place that is; -1: it was not found yet. */
int ptl_rundir_place(uint32_t uid);

/*
 * Calls fn for each file of the run directory whose name begins with
 * `prefix' ("s.", "t.", "x."), until it returns non-zero, which is
 * then returned; or -errno if the directory cannot be read.  Files may come
 * and go meanwhile; fn may remove them.  Of another user's directory not more
 * than so many are looked at.
 */
int ptl_rundir_each(int dir, const char *prefix,
		    int (*fn)(int dir, const char *name, void *arg), void *arg);

#endif
