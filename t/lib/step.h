/* SPDX-License-Identifier: MIT */
/* Runs a handler after each instruction, for tests of what may happen at any
 * moment. */
#ifndef PTL_T_LIB_STEP_H
#define PTL_T_LIB_STEP_H

#include "t/lib/proc.h"

/* Skips all tests if this is not possible here. */
void step_needed(void);

/*
 * Calls fn, and at(n) in a handler after each instruction of this thread; n is
 * 1 after the first.  If `at' returns 0, or leaves by siglongjmp(), no more
 * instructions are interrupted.  Returns how many were.
 */
long step_through(void (*fn)(void), int (*at)(long n));

/*
 * The same, called in a handler: after each instruction of the code that it
 * interrupted, once it returns. context is the handler's third argument.  Not
 * where signals are blocked.
 */
void step_from(void *context, int (*at)(long n));
void step_end(void);

/*
 * A fork in the handler, after a number of instructions: after
 * step_fork_after(), step_fork() is the `at' of the functions above, or is
 * called by it. step_child is -1 until it forks, and 0 in the child.
 * step_forked() is for the parent: 0 if there were not so many instructions;
 * otherwise it waits for the child, counts it in *failed if it did not end
 * well, and returns 1.
 */
extern pid_t step_child;
void step_fork_after(long after);
int step_fork(long n);
int step_forked(int *failed);

/*
 * Steps from another process, by ptrace(2), which also works where signals
 * are blocked: a child of proc_start() calls step_here() where its steps begin
 * and where they end.  The test waits for the first call (0: not possible
 * here), makes steps as long as that returns 1, each of one instruction
 * (PTRACE_SINGLESTEP) or half a system call (PTRACE_SYSCALL), and then lets the
 * child finish, with the result of proc_wait().
 */
void step_here(void);
int step_await(const struct proc *p);
int step_on(const struct proc *p, int request);
int step_finish(struct proc *p);

#endif
