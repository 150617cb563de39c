/* SPDX-License-Identifier: MIT */
/*
 * cpu:sample without perf_event_open(2) (--sample-by=timer): each thread has a
 * timer of its own processor time, which sends it SIGPROF.  The program is told
 * that this is SIG_DFL; when it uses it itself, or gets it from elsewhere,
 * there are no more samples of the process.
 */
#ifndef PTL_PRELOAD_HOOK_TIMER_H
#define PTL_PRELOAD_HOOK_TIMER_H

#include "core/base.h"

#include <signal.h>

/* Set by the constructor; off again for good when it cannot go on. */
extern bool ptl_timer_is_on __attribute__((visibility("hidden")));

/* For the constructor, last of all: if some stream wants samples, and the
 * environment says that they come so. */
void ptl_timer_begin(char *const *envp);

/* A thread begins, and ends; and a child with memory of its own. */
void ptl_timer_thread_begin(void);
void ptl_timer_thread_end(void);
void ptl_timer_forked(void);

/* No more samples, and the signal is as without us; why: for the log, or NULL
 * where nothing can be recorded. */
void ptl_timer_give_back(const char *why);

/* The thread is going to have this stack for signals, which may be too small
 * for ours. */
void ptl_timer_stack(const stack_t *stack);

/* The program is going to set a handler for a signal; what it is told of the
 * one that there was; it waits for signals, and gets none of ours. */
void ptl_timer_set(int signo);
__sighandler_t ptl_timer_own(__sighandler_t handler);
void ptl_timer_answer(struct sigaction *old);
int ptl_timer_wait(const sigset_t *set, siginfo_t *info,
		   const struct timespec *timeout);
int ptl_timer_sigwait(const sigset_t *set, int *signo);

#endif
