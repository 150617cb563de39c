/* SPDX-License-Identifier: MIT */
/*
 * What the constructor sets up beside the wrappers, and what assembly calls.
 */
#ifndef PTL_PRELOAD_HOOK_HOOKS_H
#define PTL_PRELOAD_HOOK_HOOKS_H

#include "core/base.h"

/* wrap/fork.c, wrap/exit.c, wrap/thread.c: once, by the constructor. */
void ptl_fork_init(void);
void ptl_exit_init(void);
void ptl_thread_init(void);

/* wrap/key.c: the key whose destructor sees threads end: its value in this
 * thread. */
void ptl_key_init(void (*end)(void *value));
void ptl_key_set(const void *value);

/* From vfork.S, in the parent; returns libc's vfork. */
void *ptl_vfork_hook(const void *addr);

/*
 * From syscall.S, for seccomp(2) and prctl(2), or when the table is not there
 * yet; returns what is to be jumped to.
 */
void *ptl_syscall_hook(long number, unsigned long op, unsigned long flags,
		       const void *filter);

/* From dl_entry.S; return what is to be jumped to. */
void *ptl_dlopen_hook(const char *path, int flags, const void *caller);
void *ptl_dlmopen_hook(long space, const char *path, int flags,
		       const void *caller);
void *ptl_dlsym_hook(void);
void *ptl_dlvsym_hook(void);

/* From signal.S, where the kernel delivers a signal: by the number of the
 * entry; returns the program's handler. */
void *ptl_signal_hook(int signo, const void *info, const void *context,
		      unsigned int entry);
/* instrument.c: once, by the constructor; and for mcount.S. */
void ptl_instrument_init(void);
extern void (*ptl_real_mcount)(void);
extern void (*ptl_real_fentry)(void);
extern const int ptl_mcount_id;

/* Starts the trace that LD_PRELOAD alone asks for, if it does; true if this
 * process may be traced now. */
bool ptl_autostart(char **envp);

#endif
