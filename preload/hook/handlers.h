/* SPDX-License-Identifier: MIT */
/*
 * The program's signal handlers.  The kernel gets an entry of ours in place of
 * each, which records the signal and jumps to the handler; when the program
 * asks for a handler, it gets its own.  Included by assembly.
 */
#ifndef PTL_PRELOAD_HOOK_HANDLERS_H
#define PTL_PRELOAD_HOOK_HANDLERS_H

/* The number of handlers that a program may have; further ones are not
 * recorded. */
#define PTL_HANDLERS 256
#define PTL_HANDLER_ENTRY 16 /* bytes */

#ifndef __ASSEMBLER__
#include "core/base.h"

#include <signal.h>
#include <ucontext.h>

/* The address that the kernel is to call for the program's handler, set with
 * these flags (SA_SIGINFO ...).  May be the same, as for SIG_DFL and SIG_IGN.
 */
__sighandler_t ptl_handler_entry(int signo, __sighandler_t handler, int flags);

/* From now on handlers of SIGSEGV and SIGBUS have entries, too, and of a fault
 * `is_own' is asked: is it for us alone, so that the handler is not called? */
void ptl_handler_faults(bool (*is_own)(ucontext_t *context));

/* The program's handler, for an address that the kernel calls. */
__sighandler_t ptl_handler_own(__sighandler_t entry);
#endif

#endif
