/* SPDX-License-Identifier: MIT */
/*
 * What is loaded, and what of it was told: dl:map for what came, dl:unmap for
 * what went.  All of it happens inside of dl_iterate_phdr(), under the lock
 * with which the loader itself changes its list; so it is in the order in
 * which things came and went, and two threads never tell the same thing.
 *
 * To be called where the program could call the loader: not in a handler, nor
 * in a vfork child.
 */
#ifndef PTL_PRELOAD_HOOK_OBJECTS_H
#define PTL_PRELOAD_HOOK_OBJECTS_H

#include "core/base.h"

#include "preload/libc/payload.h"

/* For the constructor: tells what there is.  Exe: the program's own file;
 * payload: an empty one. */
void ptl_objects_begin(const char *exe, struct ptl_payload payload);

/* Does anybody want to know? */
bool ptl_objects_wanted(void);

/* Tells what came or went since the last time. */
void ptl_objects_look(void);

/* Something comes from which no call returns to us. */
void ptl_objects_expect(void);

/* Looks if something was expected.  A load and a test if not. */
void ptl_objects_settle(void);

/*
 * Would dlopen(path) called from `caller' do the same if we called it?  It
 * searches in places that its caller's object names (DT_RUNPATH), or those it
 * was loaded by (DT_RPATH), and knows "$ORIGIN".  False if in doubt.
 */
bool ptl_objects_may_open(const char *path, const void *caller);

#endif
