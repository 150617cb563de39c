/* SPDX-License-Identifier: MIT */
/*
 * _dl_find_object(), by which unwinders ask the loader for the rules of an
 * address.  Of the code in an arena it knows nothing, and of an island what is
 * not so any more: a handler's backtrace from there, or an exception, would
 * end.
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

static void *real;

/* Of code in an arena, all but the rules is as of the object that it is from.
 */
static int find_moved(const struct ptl_arena *arena, find_fn *find,
		      struct dl_find_object *found)
{
	if (find((void *)arena->object, found) != 0)
		return -1;
	found->dlfo_map_start = (void *)arena->begin;
	found->dlfo_map_end = (void *)arena->end;
	found->dlfo_eh_frame = (void *)arena->frames;
	return 0;
}

static PTL_COLD int find_here(void *pc, struct dl_find_object *found)
{
	const struct ptl_arena *arena = ptl_arena_at((uintptr_t)pc);
	find_fn *find = (find_fn *)ptl_lookup_real(&real, "_dl_find_object",
						   (void *)find_none);

	if (arena)
		return find_moved(arena, find, found);
	arena = ptl_arena_of_island((uintptr_t)pc);
	if (find(pc, found) != 0)
		return -1;
	if (arena)
		found->dlfo_eh_frame = (void *)arena->islands;
	return 0;
}

/* As a rule by a jump: handlers with small stacks are unwound, too. */
PTL_EXPORT int _dl_find_object(void *pc, struct dl_find_object *found)
{
	find_fn *find = (find_fn *)__atomic_load_n(&real, __ATOMIC_RELAXED);

	if (PTL_UNLIKELY(!find) ||
	    PTL_UNLIKELY(ptl_arena_at((uintptr_t)pc) != NULL) ||
	    PTL_UNLIKELY(ptl_arena_of_island((uintptr_t)pc) != NULL))
		return find_here(pc, found);
	return find(pc, found);
}

#endif
