/* SPDX-License-Identifier: MIT */
/*
 * A process whose streams are reached by bridges (core/shm/bridge.h): it became
 * another user's, or sees another /dev/shm, before it began its program.  From
 * then on it is a guest; so are its children.
 */
#ifndef PTL_CORE_PROCESS_GUEST_H
#define PTL_CORE_PROCESS_GUEST_H

#include "core/shm/map.h"
#include "core/sys/usage.h"

/* Does that value of PTRACE_STREAMS name bridges?  NULL: no. */
bool ptl_guest_is(const char *streams);

/* Maps a bridge, which must be of the caller's effective user. */
int ptl_guest_attach(int32_t shmid, uint64_t id, struct ptl_map **map);

/* This process is in its streams: in those that are bridges, or not of its
 * user, it is a member. */
void ptl_guest_joined(void);

/* Is this process a member of a stream, from before an exec? */
bool ptl_guest_was(void);

/* The process is in the registry of its streams' user again. */
void ptl_guest_back(void);

/* The process has recorded its end. */
void ptl_guest_ended(void);

/*
 * Before an exec or a spawn: will the program find the streams that it is to
 * inherit?  True in *bridged: by bridges alone, which are there now.  Returns
 * NULL, or why it will find none.
 */
const char *ptl_guest_reach(bool *bridged);

/* How much address space they take in it. */
uint64_t ptl_guest_room(void);

/* For PTRACE_STREAMS: the bridge of stream bit i, or -1. */
int32_t ptl_guest_bridge(unsigned int i);

/* A child was reaped: records its end if it was in a bridge of ours, and could
 * not. */
void ptl_guest_reaped(const struct ptl_shm_ident *who,
		      const struct ptl_end *end);

#endif
