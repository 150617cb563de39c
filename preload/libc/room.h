/* SPDX-License-Identifier: MIT */
/*
 * The data of a system event with a path in it: on the stack, which may be
 * small, or, where the path is longer, in scratch memory.
 */
#ifndef PTL_PRELOAD_LIBC_ROOM_H
#define PTL_PRELOAD_LIBC_ROOM_H

#include "core/sys/text.h"

#include "preload/libc/payload.h"
#include "preload/libc/scratch.h"

#include <linux/limits.h>

/* Of the room on the stack so much is for what is beside the path. */
#define PTL_ROOM_BESIDE 64

PTL_INLINE void ptl_room_get(struct ptl_payload *p, struct ptl_scratch *scratch,
			     const char *path)
{
	size_t most = p->room - PTL_ROOM_BESIDE;

	scratch->base = NULL;
	if (ptl_strnlen(path, most) < most ||
	    !ptl_scratch_get(scratch, PATH_MAX + PTL_ROOM_BESIDE))
		return;
	p->data = (unsigned char *)scratch->base;
	p->room = scratch->size;
}

/* The last string: one that is cut has no null, by which that is known. */
PTL_INLINE void ptl_put_last(struct ptl_payload *p, const char *s)
{
	do
		ptl_put_byte(p, (unsigned char)*s);
	while (*s++ && p->size < p->room);
}

#endif
