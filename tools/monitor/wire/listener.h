/* SPDX-License-Identifier: MIT */
/*
 * A socket by which others reach the controller.  It has a path, in the run
 * directory of the controller's user, since a path is what that user alone can
 * open, in containers that share the directory, too; an abstract name is
 * anybody's, and each network namespace has its own.
 */
#ifndef PTL_TOOLS_MONITOR_WIRE_LISTENER_H
#define PTL_TOOLS_MONITOR_WIRE_LISTENER_H

#include <stdbool.h>

struct ptl_listener {
	int fd;	 /* -1: there is none */
	int dir; /* the directory that it is in */
	char name[32];
};

/* Makes it, as "PREFIX.PID".  Returns 0 or the error number: then it is one
 * that nobody reaches. */
int ptl_listener_open(struct ptl_listener *listener, const char *prefix);
void ptl_listener_close(struct ptl_listener *listener);

/* Who waits there, if it is the user of the controller or root; -1: nobody. */
int ptl_listener_accept(const struct ptl_listener *listener);

#endif
