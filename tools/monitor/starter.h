/* SPDX-License-Identifier: MIT */
/*
 * The process that puts the recorder into static programs (--reach static,
 * tools/inject/start.h).  ptrace(2) ties what it stops to one thread, which is
 * to wait for that only, so it is none of the controller's; begun with the
 * first such program, it stays until the controller is gone, and does what it
 * has begun then, too.  If it is killed, the next program has another.
 */
#ifndef PTL_TOOLS_MONITOR_STARTER_H
#define PTL_TOOLS_MONITOR_STARTER_H

#include <poll.h>
#include <sys/types.h>

#include "tools/monitor/wire/listener.h"

struct ptl_settings;

struct ptl_starter {
	struct ptl_listener listener; /* who asks comes to it */
	int fd;			      /* to the process; -1: there is none */
	pid_t pid;
};

/* Makes the socket, for --reach static. */
void ptl_starter_open(struct ptl_starter *starter,
		      const struct ptl_settings *settings);
void ptl_starter_close(struct ptl_starter *starter);

/* For poll(2): the end of the process, or the first who asks when there is
 * none; and deals with that. */
void ptl_starter_poll(const struct ptl_starter *starter, struct pollfd *fd);
void ptl_starter_serve(struct ptl_starter *starter);

#endif
