/* SPDX-License-Identifier: MIT */
/*
 * signal:crash (--crash, -e signal): signals that would end the process with a
 * core come to a handler of ours where the program has SIG_DFL.  It records,
 * and the process ends by the signal as it would have: crash.c says how.  The
 * program is told that it has SIG_DFL, and no alternate stack.
 */
#ifndef PTL_PRELOAD_HOOK_CRASH_H
#define PTL_PRELOAD_HOOK_CRASH_H

#include "core/base.h"

#include <signal.h>

/* Set once, by the constructor; off again when a seccomp filter comes. */
extern bool ptl_crash_is_on __attribute__((visibility("hidden")));

/* May threads have a stack of ours?  Also then. */
extern bool ptl_crash_hides __attribute__((visibility("hidden")));

/* For the constructor, last of all: if some stream wants to know. */
void ptl_crash_begin(void);

/* Before a filter: what the handler does might be forbidden. */
void ptl_crash_give_back(void);

/* A thread begins, and ends: it gets a stack to crash on. */
void ptl_crash_thread_begin(void);
void ptl_crash_thread_end(void);

/* The program has set a signal to SIG_DFL. */
void ptl_crash_take(int signo);

/* What the program is told of a signal's handler. */
void ptl_crash_answer(int signo, struct sigaction *old);
__sighandler_t ptl_crash_own(__sighandler_t handler);

/* sigaltstack(), as the program sees it. */
int ptl_crash_altstack(const stack_t *stack, stack_t *old);

/* crash_record.c */
void ptl_crash_record_init(void);
/* For ptl_core_crash() and ptl_core_sample(), PTL_CORE_REGISTERS of them; of a
 * ucontext_t. */
void ptl_crash_registers(uint64_t *reg, const void *context);
void ptl_crash_record(int signo, const siginfo_t *info, const void *context);

#endif
