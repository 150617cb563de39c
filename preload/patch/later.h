/* SPDX-License-Identifier: MIT */
/*
 * Objects that are loaded while the program runs.  The loader has a function
 * for debuggers, which it calls when its list changes (r_debug, <link.h>): new
 * objects are mapped then, and nothing of them has run.  It does nothing, and
 * is written over by a jump to ours.
 */
#ifndef PTL_PRELOAD_PATCH_LATER_H
#define PTL_PRELOAD_PATCH_LATER_H

#include "core/base.h"

#include <link.h>

/* For the constructor: fn is called for each new object, under the loader's
 * lock.  False: this loader is not known. */
bool ptl_later_begin(void (*fn)(struct dl_phdr_info *info));

/* In a program that runs already, as above: what is to be written is pending,
 * unless it is there; and then, fn is called from the second on. */
bool ptl_later_attach(void (*fn)(struct dl_phdr_info *info));
void ptl_later_attached(void);

#endif
