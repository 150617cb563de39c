/* SPDX-License-Identifier: MIT */
/*
 * What the constructor sets up besides the wrappers, and what assembly calls.
 */
#ifndef PTL_PRELOAD_HOOK_HOOKS_H
#define PTL_PRELOAD_HOOK_HOOKS_H

#include "core/base.h"

/* wrap/fork.c, wrap/exit.c, wrap/thread.c: called once, by the constructor. */
void ptl_fork_init(void);
void ptl_exit_init(void);
void ptl_thread_init(void);

/* wrap/key.c: a key whose destructor is called when a thread ends; its value in
 * this thread. */
void ptl_key_init(void (*end)(void *value));
void ptl_key_set(const void *value);

/* wrap/thread.c: a thread has that name now; tid 0: it is not known which. */
/* Before a system call of the program's that may give a task a thread pointer
 * of its own. */
void ptl_outsider_hook(long number, unsigned long a, unsigned long b,
		       unsigned long d, unsigned long e);

void ptl_thread_named(int tid, const char *name, const void *caller);

/* wrap/thread.c: called last of all in a thread that ends; NULL: nothing is. */
extern void (*ptl_thread_ends)(void);

/* Called by vfork.S in the parent; returns libc's vfork. */
void *ptl_vfork_hook(const void *addr);

/*
 * Called by syscall.S for seccomp(2) and prctl(2), while a stream traces us, or
 * before the table exists; returns where to jump.
 */
void *ptl_syscall_hook(long number, unsigned long op, unsigned long flags,
		       const void *filter, unsigned long d, unsigned long e);

/*
 * preload/calls/numbers: what is to be called in place of libc's syscall(),
 * with its arguments, so that the call is recorded; NULL: nothing is.  Never of
 * what must have no frame of ours: vfork, clone, exec, exit.
 */
void *ptl_number_find(long number);

/* Called by dl_entry.S; they return where to jump. */
void *ptl_dlopen_hook(const char *path, int flags, const void *caller);
void *ptl_dlmopen_hook(long space, const char *path, int flags,
		       const void *caller);
void *ptl_dlsym_hook(void *handle, const char *name);
void *ptl_dlvsym_hook(void);

/* Called by signal.S when the kernel delivers a signal, with the number of the
 * entry; returns the program's handler. */
void *ptl_signal_hook(int signo, const void *info, void *context,
		      unsigned int entry);
/* instrument.c: called once, by the constructor; and for mcount.S. */
void ptl_instrument_init(void);
extern void (*ptl_real_mcount)(void);
extern void (*ptl_real_fentry)(void);
extern const int ptl_mcount_id;

/* Starts a trace if LD_PRELOAD and the environment alone ask for one; true if
 * this process may be traced now. */
bool ptl_autostart(char **envp);

#endif
