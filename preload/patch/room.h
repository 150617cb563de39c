/* SPDX-License-Identifier: MIT */
/*
 * The end of a stack, where patched functions are called: the program gets
 * that fault which it would have without us, and none of ours.
 */
#ifndef PTL_PRELOAD_PATCH_ROOM_H
#define PTL_PRELOAD_PATCH_ROOM_H

#include "core/base.h"

#include <ucontext.h>

/* From now on what a handler of SIGSEGV or SIGBUS gets is looked at before. */
void ptl_room_begin(void);

/*
 * A fault, on another stack: was there no room to tell of a call?  Then it is
 * told from here, the context is that of the program behind it, and the
 * handler has nothing to do.
 */
bool ptl_room_was_none(ucontext_t *context);

#endif
