/* SPDX-License-Identifier: MIT */
/* A file that goes with a message of a local socket (SCM_RIGHTS). */
#ifndef PTL_TOOLS_LIB_HANDOVER_H
#define PTL_TOOLS_LIB_HANDOVER_H

#include <sys/socket.h>

union ptl_handover {
	char bytes[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

/* Puts it into a message that is to be sent; -1: none. */
void ptl_handover_put(struct msghdr *message, union ptl_handover *room,
		      int file);

/* Makes room for one in a message that is to be received, and not for two: more
 * than that the kernel closes.  And what came with it; -1: none. */
void ptl_handover_expect(struct msghdr *message, union ptl_handover *room);
int ptl_handover_take(struct msghdr *message);

#endif
