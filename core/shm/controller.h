/* SPDX-License-Identifier: MIT */
/*
 * Does the controller of a stream live?  It holds a lifeline, which is a lock
 * on the first byte of the stream's segment, so that any process of any
 * namespace can tell.  A guardian, who will put another in its place, holds one
 * on the second byte: the stream is not given up then.  Where the kernel does
 * not have such locks the controller's pid is asked for, which means something
 * in its own pid namespace only.
 */
#ifndef PTL_CORE_SHM_CONTROLLER_H
#define PTL_CORE_SHM_CONTROLLER_H

#include "core/shm/map.h"

/*
 * For the controller: takes the lifeline of a stream whose segment has that
 * name, and says so in its head.  Before it is published, if it is new: a
 * controller that is killed has one then, or has left nothing that others find.
 * NULL: none can be had, pids have to do.  A fork child does not get it; at
 * exec it goes.
 */
void *ptl_controller_holds(int dir, const char *name,
			   struct ptl_shm_head *head);

/* The lock of a guardian of the stream of that name. */
void *ptl_controller_guards(int dir, const char *name);

/*
 * Is the controller of that stream gone: dead, or on to another program without
 * having shut it down?  And will there be no other?  A question that is not
 * answered is not `gone'.
 */
bool ptl_controller_gone(int dir, const struct ptl_shm_head *head);

/* Is it gone, for one that will be the next? */
bool ptl_controller_is_due(int dir, const struct ptl_shm_head *head);

/* Is the controller gone?  Asked by a recorder: as rarely as it likes, for it
 * asks the kernel. */
bool ptl_controller_left(const struct ptl_map *map);

/* Before an exec that the stream outlives. */
void ptl_controller_execs(struct ptl_shm_head *head);

#endif
