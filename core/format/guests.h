/* SPDX-License-Identifier: MIT */
/*
 * The part of layout.h about bridges: which there are, and who is in them.
 *
 * A bridge is a segment like that in System V shared memory, for processes of
 * a stream that cannot reach its file: they run as another user, or see another
 * /dev/shm.  It has the stream's id; of its log state only the lists of
 * untraced programs and of members are used, and the bridges.
 */
#ifndef PTL_CORE_FORMAT_GUESTS_H
#define PTL_CORE_FORMAT_GUESTS_H

#include "core/base.h"

/*
 * A bridge of a stream, as its maker announced it.  The place is claimed, with
 * the key under which the memory will be found, before the memory is made.
 *
 *   word   key:32  tid:24  state:8
 *
 *   FREE --claim--> MAKING --made--> READY --nobody left--> LEAVING --> FREE
 *
 * MAKING: by thread tid.  LEAVING: a controller removes it, or looks whether it
 * may, and then it is READY again.
 */
#define PTL_GUEST_FREE 0u
#define PTL_GUEST_MAKING 1u
#define PTL_GUEST_READY 2u
#define PTL_GUEST_LEAVING 3u
struct ptl_shm_guest {
	_Atomic uint64_t word;
	int32_t id;   /* of the shared memory, when READY */
	uint32_t uid; /* of its processes, as its maker knows users */
	_Atomic uint32_t attached; /* 1: by the controller */
	uint32_t reserved[3];
};
static_assert(sizeof(struct ptl_shm_guest) == 32, "shm ABI");
#define PTL_SHM_GUESTS 64
#define PTL_BRIDGE_CHUNKS 64 /* at most, in one */

/*
 * A process of a bridge: pid:32 image:24 state:8.  The stream itself lists
 * those that went over, who are HANDED for good, and no more than the pid and
 * its namespace count; and those that record in it, but are in no registry of
 * its user's.
 */
#define PTL_MEMBER_HANDED 1u /* it will come: an exec is under way */
#define PTL_MEMBER_JOINED 2u
#define PTL_MEMBER_MISSING 3u /* the same; dead, and not by its own account */
#define PTL_MEMBER_ENDED 4u   /* its end is recorded */
struct ptl_shm_member {
	_Atomic uint64_t word;	     /* 0: none */
	uint64_t born;		     /* as in ptl_shm_ident */
	uint64_t pidns;		     /* the same */
	_Atomic uint64_t look_again; /* as in ptl_shm_entry */
};
static_assert(sizeof(struct ptl_shm_member) == 32, "shm ABI");
#define PTL_SHM_MEMBERS 256

struct ptl_shm_bridges {
	uint64_t
		ipcns; /* inode of the controller's IPC namespace; 0: unknown */
	_Atomic uint32_t announced; /* so many, so far */
	uint32_t reserved;
	struct ptl_shm_guest guest[PTL_SHM_GUESTS];
	struct ptl_shm_member member[PTL_SHM_MEMBERS];
};
static_assert(sizeof(struct ptl_shm_bridges) == 16 + 64 * 32 + 256 * 32,
	      "shm ABI");

#endif
