/* SPDX-License-Identifier: MIT */
/*
 * Two unwinders behind one function, ptl_unwind() (unwind.h).  The default is
 * ours:
 *
 *   own        unwind.c, last.h, frame.h: no locks, no foreign code.  By call
 *              frame information on x86-64; elsewhere by frame pointers alone.
 *   libunwind  libunwind.c: the library of that name, if the constructor loaded
 *              it.  By call frame information on every processor.
 *
 * Where libunwind may not be called, ours does the whole walk; where libunwind
 * has no rules, ours goes on from there.
 */
#ifndef PTL_CORE_UNWIND_BACKEND_H
#define PTL_CORE_UNWIND_BACKEND_H

#include "core/unwind/last.h"

enum ptl_backend_found {
	PTL_BACKEND_NONE, /* it may not be used here; nothing has changed */
	PTL_BACKEND_PART, /* our own unwinder goes on where the walk stands */
	PTL_BACKEND_ALL,
};

/* Adds the frames from where `walk' stands outwards to `found'.  The walk
 * stands in the caller or in a function that the caller has called. */
enum ptl_backend_found ptl_libunwind_unwind(struct ptl_walk *walk,
					    struct ptl_found *found);

/* Is it loaded?  Set once, by the constructor. */
extern bool ptl_libunwind_is_loaded __attribute__((visibility("hidden")));

/* For unwind.h. */
const char *ptl_libunwind_load(void *(*open)(const char *path, int flags));
const void *ptl_libunwind_code(void);
void ptl_libunwind_forked(void);

#endif
