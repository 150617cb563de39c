/* SPDX-License-Identifier: MIT */
/*
 * Two unwinders behind one function, ptl_unwind() (unwind.h), which is ours
 * where nothing else is said:
 *
 *   own	unwind.c, last.h, frame.h: no lock, no code of others.  By call
 *		frame information on x86-64; elsewhere by frame pointers alone.
 *   libunwind	libunwind.c: the library of that name, if the constructor loaded
 *		it: by call frame information on every processor.
 *
 * Where libunwind may not be called ours does all, and where it has no rules
 * ours goes on from there.
 */
#ifndef PTL_CORE_UNWIND_BACKEND_H
#define PTL_CORE_UNWIND_BACKEND_H

#include "core/unwind/last.h"

enum ptl_backend_found {
	PTL_BACKEND_NONE, /* it may not be used here; nothing has changed */
	PTL_BACKEND_PART, /* the walk stands where ours shall go on */
	PTL_BACKEND_ALL,
};

/* Adds to `found' from where `walk' stands, which is in the caller or in a
 * function that called that, outwards. */
enum ptl_backend_found ptl_libunwind_unwind(struct ptl_walk *walk,
					    struct ptl_found *found);

/* Is it loaded?  Set once, by the constructor. */
extern bool ptl_libunwind_is_loaded __attribute__((visibility("hidden")));

/* For unwind.h. */
const char *ptl_libunwind_load(void *(*open)(const char *path, int flags));
const void *ptl_libunwind_code(void);
void ptl_libunwind_forked(void);

#endif
