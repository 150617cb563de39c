/* SPDX-License-Identifier: MIT */
/*
 * Our pid namespace, and the processes of others.  Their numbers mean nothing
 * here, so no process is judged by them; but the namespace that all others are
 * in shows every process, with its numbers in each.
 */
#ifndef PTL_CORE_SYS_PIDNS_H
#define PTL_CORE_SYS_PIDNS_H

#include "core/format/layout.h"

/* Inode of our pid namespace; 0 if /proc cannot say.  Not cached. */
uint64_t ptl_pidns(void);

/*
 * Is a process of another namespace certainly gone?  False where that is not
 * known: in any namespace but the initial one, or if /proc does not show all.
 * Reads something of each process: for what is asked rarely.
 */
bool ptl_pidns_gone(const struct ptl_shm_ident *ident);

/*
 * Is it time to ask that?  It takes long where there are many processes: not
 * for each of them, nor at each pass.  `again' says when the next time is.
 */
bool ptl_pidns_may_look(const struct ptl_shm_ident *ident,
			_Atomic uint64_t *again);

/* How a process that was just made is known to its parent. */
struct ptl_birth {
	uint32_t child;	 /* what fork() returned there */
	uint32_t parent; /* whose own number is this */
	uint64_t pidns;	 /* and namespace this; 0: not known */
};

/*
 * For a process whose parent is in another namespace.  /proc is still the
 * parent's where a namespace begins, or that of one above it, and has the
 * numbers of both.  False: it has not.
 */
bool ptl_pidns_birth(struct ptl_birth *birth);

/* Inode of our IPC namespace; 0 if /proc cannot say. */
uint64_t ptl_ipcns(void);

#endif
