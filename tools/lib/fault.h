/* SPDX-License-Identifier: MIT */
/*
 * SIGBUS: another user has truncated memory that is shared with us, or its file
 * system is full.
 */
#ifndef PTL_TOOLS_LIB_FAULT_H
#define PTL_TOOLS_LIB_FAULT_H

#include <stdbool.h>

/* Makes it end the program with one line, prefixed with its name, and that
 * status. */
void ptl_fault_die(const char *program, int status);

/* Then, before the line: an async-signal-safe function. */
void ptl_fault_before(void (*function)(void));

/*
 * Makes it survivable: the memory is replaced by zeroes, which are valid for
 * all that is read of a stream.  SIGTERM is sent to ourselves, so that the
 * trace is ended in order.
 */
void ptl_fault_survive(void);

/* Has that happened? */
bool ptl_fault_happened(void);

#endif
