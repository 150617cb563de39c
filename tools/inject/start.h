/* SPDX-License-Identifier: MIT */
/*
 * Puts the recorder (preload/static) into a static program when it begins, for
 * a process that says that it is about to execute one.  The thread is seized by
 * ptrace(2), stops once, at its exec, and is let go.  All that it needs is
 * written before it would ever run, where nothing of the program is; one change
 * of its registers lets it begin there in place of where it begins.  So whoever
 * is killed at whatever moment, the program runs.
 */
#ifndef PTL_TOOLS_INJECT_START_H
#define PTL_TOOLS_INJECT_START_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * A process of its own does it, and answers the client, who is that thread's
 * process (thread 0: its first), or tells it why not: core/format/patches.h.
 * by_child: it is the thread's next child that will execute it, one that shares
 * the thread's memory until then, while the thread waits.  file: the program.
 */
void ptl_start_serve(int client, pid_t thread, bool by_child, int file);

#endif
