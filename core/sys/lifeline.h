/* SPDX-License-Identifier: MIT */
/*
 * A sign of life that needs no process id: a lock on one byte of a file, taken
 * through an open file description of its own (F_OFD_SETLK) that nothing but a
 * mapping keeps.  The kernel lets it go when the mapping goes: at exec, at the
 * end of the process however it ends, and for a zombie that nobody reaps.  It
 * outlives every close(), and it is the same seen from any pid, user or mount
 * namespace.  The file may be empty: the page is never touched.
 *
 * "Free" is final.  "Held" may be late by some milliseconds, while another
 * process reads /proc/PID/maps: look again.
 *
 * That a mapping keeps a lock is what Linux does (since 3.15), not what POSIX
 * says: whoever takes one asks for it afterwards, and does without where the
 * answer is wrong.
 */
#ifndef PTL_CORE_SYS_LIFELINE_H
#define PTL_CORE_SYS_LIFELINE_H

#include "core/base.h"

enum ptl_lifeline {
	PTL_LIFELINE_FREE,
	PTL_LIFELINE_HELD,
	PTL_LIFELINE_UNKNOWN, /* not answered: nobody is dead for that */
};

/*
 * Locks byte `at' of the open file `fd', which the caller closes, and maps its
 * page.  Shared: others may hold it, too.  Private: a fork child does not get
 * it.  NULL: another
 * process holds it, or it cannot be had.  Async-signal-safe.
 */
void *ptl_lifeline_take(int fd, uint64_t at, bool shared, bool private);

/* Lets it go, in the process that took it. */
void ptl_lifeline_drop(void *line);

/* Does anybody hold that byte?  fd: not the one that it was taken through. */
enum ptl_lifeline ptl_lifeline_ask(int fd, uint64_t at);

#endif
