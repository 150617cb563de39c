/* SPDX-License-Identifier: MIT */
/* Files that go with messages; see handover.h. */
#include "tools/lib/handover.h"

#include <string.h>

void ptl_handover_put(struct msghdr *message, union ptl_handover *room,
		      int file)
{
	struct cmsghdr *header;

	if (file < 0)
		return;
	memset(room, 0, sizeof(*room));
	message->msg_control = room;
	message->msg_controllen = sizeof(*room);
	header = CMSG_FIRSTHDR(message);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(header), &file, sizeof(file));
}

void ptl_handover_expect(struct msghdr *message, union ptl_handover *room)
{
	message->msg_control = room;
	message->msg_controllen = CMSG_LEN(sizeof(int));
}

int ptl_handover_take(struct msghdr *message)
{
	struct cmsghdr *header = CMSG_FIRSTHDR(message);
	int file;

	if (header == NULL || header->cmsg_level != SOL_SOCKET ||
	    header->cmsg_type != SCM_RIGHTS ||
	    header->cmsg_len != CMSG_LEN(sizeof(int)))
		return -1;
	memcpy(&file, CMSG_DATA(header), sizeof(file));
	return file;
}
