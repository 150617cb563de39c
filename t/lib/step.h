/* SPDX-License-Identifier: MIT */
/* A handler that comes after each instruction, for tests of what may happen
 * at any. */
#ifndef PTL_T_LIB_STEP_H
#define PTL_T_LIB_STEP_H

#include "t/lib/proc.h"

/* Can it be done here?  If not it skips all tests. */
void step_needed(void);

/*
 * Calls fn, and after each instruction of this thread at(n), in a handler: n
 * is 1 after the first.  If `at' returns 0, or leaves by siglongjmp(), no more
 * of them are interrupted.  Returns how many were.
 */
long step_through(void (*fn)(void), int (*at)(long n));

/*
 * The same from a handler on: after each instruction of what it interrupted,
 * once it returns.  Context is the handler's third argument.  It is not for
 * where signals are blocked.
 */
void step_from(void *context, int (*at)(long n));
void step_end(void);

/*
 * From another process, by ptrace(2), and so also where signals are blocked: a
 * child of proc_start() calls step_here() where its steps begin and where they
 * end.  The test waits for the first (0: it cannot be done here), makes steps
 * as long as that returns 1, of an instruction (PTRACE_SINGLESTEP) or half a
 * system call (PTRACE_SYSCALL), and has the rest done, with proc_wait()'s
 * result.
 */
void step_here(void);
int step_await(const struct proc *p);
int step_on(const struct proc *p, int request);
int step_finish(struct proc *p);

#endif
