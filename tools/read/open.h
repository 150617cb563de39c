/* SPDX-License-Identifier: MIT */
/*
 * Opens what may be a log: a file or a pipe, compressed or not.  A file that is
 * no log and a damaged log are different errors.
 */
#ifndef PTL_TOOLS_READ_OPEN_H
#define PTL_TOOLS_READ_OPEN_H

#include <trace.h>

/* Exit statuses of the analyzers. */
enum {
	PTL_EXIT_OK = 0,
	PTL_EXIT_DAMAGED = 1,
	PTL_EXIT_USAGE = 2,
	PTL_EXIT_NO_LOG = 3,
};

/* Why it cannot be opened, as a sentence of so many bytes. */
#define PTL_OPEN_WHY_SIZE 160

struct ptl_opened_log {
	const char *path; /* for messages */
	trace_id_t trid;
	unsigned long long dev, ino;
	int copy; /* what was made of it, to be opened again; 0: nothing */
	struct ptl_unpack_rest *rest; /* see ptl_open_some(); or NULL */
};

/* All but the path is zero before.  Returns PTL_EXIT_OK; else
 * PTL_EXIT_DAMAGED or PTL_EXIT_NO_LOG, and `why' says it.  The descriptor stays
 * the caller's. */
int ptl_open_log(struct ptl_opened_log *opened, int fd, char *why);

/* From now on what comes out of pipes, or was compressed, is kept, to be opened
 * again. */
void ptl_open_keep_pipes(void);

/* From now on a log whose programs have ended is opened before it is complete:
 * who completes it waits for us. */
void ptl_open_at_once(void);

/* From now on what was compressed is not all unpacked: it will be said which
 * time is wanted (ptl_source_window()). */
void ptl_open_some(void);

#endif
