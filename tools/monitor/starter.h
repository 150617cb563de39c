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

#include <stdbool.h>
#include <sys/types.h>

struct ptl_starter {
	int fd; /* to it; -1: there is none */
	pid_t pid;
};

/* Hands a client to it, who is about to execute the file: core/format/
 * patches.h.  The thread's number, or 0; by_child: its next child does. */
void ptl_starter_serve(struct ptl_starter *starter, int client, pid_t thread,
		       bool by_child, int file);

void ptl_starter_close(struct ptl_starter *starter);

#endif
