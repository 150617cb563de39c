/* SPDX-License-Identifier: MIT */
/*
 * _dl_find_object(), by which unwinders ask the loader for the rules of an
 * address.  Of the code in an arena it knows nothing, and a handler's backtrace
 * from there, or an exception, would end.
 */
#include "core/base.h"

#include "preload/libc/lookup.h"
#include "preload/patch/arena.h"

#include <dlfcn.h>

#ifdef DLFO_EH_SEGMENT_TYPE

typedef int find_fn(void *pc, struct dl_find_object *found);

static int find_none(void *pc, struct dl_find_object *found)
{
	(void)pc, (void)found;
	return -1;
}

PTL_ENTRY int _dl_find_object(void *pc, struct dl_find_object *found)
{
	static void *real;
	const struct ptl_arena *arena = ptl_arena_at((uintptr_t)pc);
	find_fn *find = (find_fn *)ptl_lookup_real(&real, "_dl_find_object",
						   (void *)find_none);

	if (PTL_LIKELY(!arena))
		return find(pc, found);
	/* All else is as of the object that the code is from. */
	if (find((void *)arena->object, found) != 0)
		return -1;
	found->dlfo_map_start = (void *)arena->begin;
	found->dlfo_map_end = (void *)arena->end;
	found->dlfo_eh_frame = (void *)arena->frames;
	return 0;
}

#endif
