/* SPDX-License-Identifier: MIT */
/*
 * The loaded objects, and which of them were recorded: dl:map for those that
 * were loaded, dl:unmap for those that were unloaded.  All of it happens inside
 * of dl_iterate_phdr(), under the lock with which the loader itself changes its
 * list: so the events are in the order of the changes, and two threads never
 * record the same change.
 *
 * Call these where the program could call the loader: not in a signal handler,
 * nor in a vfork child.
 */
#ifndef PTL_PRELOAD_HOOK_OBJECTS_H
#define PTL_PRELOAD_HOOK_OBJECTS_H

#include "core/base.h"

#include "preload/libc/payload.h"

/* Each that is recorded is handed over, too, with the loader's lock held. */
void ptl_objects_hand(void (*over)(const char *path, bool is_program));

/* Records all loaded objects, for the constructor. exe: the program's own file;
 * payload: an empty one. */
void ptl_objects_begin(const char *exe, struct ptl_payload payload);

/* Does any stream want these events? */
bool ptl_objects_wanted(void);

/* Records the objects that were loaded or unloaded since the last time; their
 * calls are hooked then, too. */
void ptl_objects_look(void);

/* Records them alone: they may not be relocated yet. */
void ptl_objects_note(void);

/* Something will be loaded or unloaded by a call that does not return to us. */
void ptl_objects_expect(void);

/* Looks if something was expected; costs a load and a test if not. */
void ptl_objects_settle(void);

/*
 * Would dlopen(path) called from `caller' have the same result if we called it?
 * It searches the directories that the caller's object names (DT_RUNPATH), and
 * those of the objects that loaded it (DT_RPATH), and knows "$ORIGIN".  False
 * if in doubt.
 */
bool ptl_objects_may_open(const char *path, const void *caller);

#endif
