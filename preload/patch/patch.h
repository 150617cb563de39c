/* SPDX-License-Identifier: MIT */
/* Functions inside of programs (ptrace-run -f): which of the patches that a
 * stream has for its processes are for this one. */
#ifndef PTL_PRELOAD_PATCH_PATCH_H
#define PTL_PRELOAD_PATCH_PATCH_H

#include "core/base.h"

#include <link.h>

/* For the constructor, before that makes libc ready: whether it is the first.
 */
void ptl_patch_begin(void);

/* Does the environment ask for any? */
bool ptl_patch_wanted(char *const *envp);

/* For the constructor: no code of the program has run.  exe: its file. */
void ptl_patch_init(char *const *envp, const char *exe);

/*
 * In a program that runs already: what is to be written is pending (pending.h).
 * Behind that, when it was written: all but `left', which were not, and why.
 */
void ptl_patch_attach(char *const *envp, const char *exe);
void ptl_patch_attached(uint64_t left, const char *why);

/*
 * For the constructor, too: patches the program's own system calls, so that
 * they lead to `entry'; if there is no block for it, and it asks, one is asked
 * for. NULL, or why not.
 */
const char *ptl_patch_calls(const char *exe, bool asks, void (*entry)(void));

/* Why not, in a static program that sets %gs by instructions of its own. */
extern const char ptl_patch_gs[];

/* The system calls of each object that is meant, likewise.  What cannot be is
 * told. */
bool ptl_patch_inside(bool (*means)(const struct dl_phdr_info *info),
		      void (*entry)(void));

/* Tells why nothing of an object is recorded that was to be. */
void ptl_patch_refuse(const char *path, const char *why);

/* Where a controller can be asked; NULL: nowhere. */
const char *ptl_patch_source(void);

/* And who puts the recorder into static programs. */
const char *ptl_patch_starter(void);

#endif
