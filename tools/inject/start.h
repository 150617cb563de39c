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
#include <sys/stat.h>
#include <sys/types.h>

struct ptl_start {
	pid_t thread;  /* that executes the program */
	bool by_child; /* not it, but its next child, which is not there yet */
	bool gives_up; /* the program is not executed after all */
	int client;    /* who asked: core/format/patches.h; -1: it is gone */
};

/*
 * Seizes the thread of the client's process (0: its first), and answers, or
 * tells why not: then false, and the connection is closed.  by_child and client
 * are set.  file: the program.
 */
bool ptl_start_begin(struct ptl_start *starting, pid_t thread, int file);

/* What waitpid() has found of its thread, or of its child; false: that was the
 * last of it. */
bool ptl_start_go_on(struct ptl_start *starting, pid_t stopped, int status);

/* The number that a thread had when it was seized: at an exec it has become
 * that of its process. */
pid_t ptl_start_was(pid_t stopped, int status);

/* Whose parent is gone without a word of it. */
void ptl_start_let_go(pid_t stopped, int status);

/* Of the client something has come, or its end. */
void ptl_start_hear(struct ptl_start *starting);

#endif
