/* SPDX-License-Identifier: MIT */
/* The end of a stream whose controller is gone. */
#ifndef PTL_CORE_CONTROL_RECOVER_H
#define PTL_CORE_CONTROL_RECOVER_H

#include "core/base.h"

/*
 * Ends stream `id' if its controller is dead: completes its log, opened as fd
 * (or found by the path in the segment, if fd is -1), removes the segment.
 * Returns 0, EBUSY (the controller lives), EAGAIN (another process is at it, or
 * sees bridges that the caller does not), ENOENT, or why the log cannot be
 * completed.
 */
int ptl_recover(int dir, uint32_t uid, uint64_t id, int fd);

/* ptl_recover() for who takes the place of the controller, which has a
 * guardian. */
int ptl_recover_guarded(int dir, uint32_t uid, uint64_t id, int fd);

/*
 * What another user's segment has beyond its log, for reading only: nothing of
 * that user's is touched.  Completes fd, which is a copy of the log.  Returns
 * as above.
 */
int ptl_recover_copy(int dir, uint32_t uid, uint64_t id, int fd);

/* Is there such a stream, and a controller of it?  Nothing is touched. */
bool ptl_recover_controller_lives(int dir, uint32_t uid, uint64_t id);

#endif
