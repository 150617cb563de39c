/* SPDX-License-Identifier: MIT */
/*
 * A process that becomes another user for good keeps its streams, and from then
 * on is as foreign as that user is: to the registry of the user that it was it
 * cannot write any more, nor to the names of its family.  Its entry there stays
 * as it was, with the byte that it has locked, and stands for it and for what
 * it forks until they execute a program; they are members of the streams
 * instead (core/shm/members.h).
 *
 * Who can become the former user again, by an id that was kept, leaves nothing:
 * there is nothing that it could not do as that user.
 */
#ifndef PTL_CORE_PROCESS_LEAVE_H
#define PTL_CORE_PROCESS_LEAVE_H

#include "core/base.h"

/* Before a call that may change the user: what is opened now cannot be
 * afterwards. */
void ptl_leave_begin(void);

/* The call was made. */
void ptl_leave_end(void);

/*
 * Of a process that is to trace itself.  If it runs as another user than it
 * began as, it leaves, if it has not, and gets an entry in the registry of the
 * user that it is now, and names in its directory.  Returns 0, or why there is
 * no registry.
 */
int ptl_leave_enter(void);

#endif
