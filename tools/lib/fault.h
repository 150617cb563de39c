/* SPDX-License-Identifier: MIT */
/*
 * SIGBUS: memory that another user shares with us is cut short, or the file
 * system that it is in has no more.
 */
#ifndef PTL_TOOLS_LIB_FAULT_H
#define PTL_TOOLS_LIB_FAULT_H

#include <stdbool.h>

/* It ends the program with one line, prefixed with its name, and that status.
 */
void ptl_fault_die(const char *program, int status);

/*
 * It ends nothing: zeroes are put where the memory was, of which all that is
 * read of a stream is possible; SIGTERM is sent to ourselves, and the trace is
 * to be ended in order.
 */
void ptl_fault_survive(void);

/* Has that happened? */
bool ptl_fault_happened(void);

#endif
