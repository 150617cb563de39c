/* SPDX-License-Identifier: MIT */
/* The socket by which ptrace-ctl reaches the controller. */
#ifndef PTL_TOOLS_MONITOR_WIRE_SOCKET_H
#define PTL_TOOLS_MONITOR_WIRE_SOCKET_H

#include <poll.h>

#include "tools/lib/talk.h"
#include "tools/monitor/wire/listener.h"

/* So many clients can be connected and silent; when more come, one of them is
 * let go of. */
#define PTL_SOCKET_CLIENTS 8
#define PTL_SOCKET_FDS (1 + PTL_SOCKET_CLIENTS)

struct ptl_socket {
	struct ptl_listener listener;
	int client[PTL_SOCKET_CLIENTS]; /* -1: none */
	unsigned int oldest;
};

/* Answers a request; the file, or -1, remains the caller's. */
typedef void ptl_socket_answer(void *arg, const struct ptl_talk *request,
			       int file, struct ptl_talk *reply);

/* Makes it.  Returns 0 or the error number: then it is one that nobody
 * reaches. */
int ptl_socket_open(struct ptl_socket *door);
void ptl_socket_close(struct ptl_socket *door);

/* Fills in PTL_SOCKET_FDS elements for poll(2), and deals with what it found.
 * Each connection is for one request. */
void ptl_socket_poll(const struct ptl_socket *door, struct pollfd *fds);
void ptl_socket_serve(struct ptl_socket *door, const struct pollfd *fds,
		      ptl_socket_answer *answer, void *arg);

#endif
