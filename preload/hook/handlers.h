/* SPDX-License-Identifier: MIT */
/*
 * The program's signal handlers.  Instead of one the kernel gets an entry of
 * ours, which records and jumps to it; what the program asks is answered with
 * its own handler.  Included by assembly.
 */
#ifndef PTL_PRELOAD_HOOK_HANDLERS_H
#define PTL_PRELOAD_HOOK_HANDLERS_H

/* How many handlers a program may have; others are not seen. */
#define PTL_HANDLERS 256
#define PTL_HANDLER_ENTRY 16 /* bytes */

#ifndef __ASSEMBLER__
#include "core/base.h"

#include <signal.h>

/* What the kernel is to call for the program's handler; has_info: it will be
 * given a siginfo_t.  May be the same, as for SIG_DFL and SIG_IGN. */
__sighandler_t ptl_handler_entry(__sighandler_t handler, bool has_info);

/* The program's handler, of what the kernel calls. */
__sighandler_t ptl_handler_own(__sighandler_t entry);
#endif

#endif
