/* SPDX-License-Identifier: MIT */
/*
 * The name of the program that this process runs, for logs in which no
 * process:start of it is: their stream came to it when it ran already, or it
 * stands aside.  Not for a stream that records no calls of libc: whoever made
 * it by <trace.h> alone finds in it what he records.  Async-signal-safe.
 */
#ifndef PTL_CORE_RECORD_PROGRAM_H
#define PTL_CORE_RECORD_PROGRAM_H

#include "core/record/emit.h"

/* By what it was called: argv[0]. */
void ptl_program_called(const char *path);

/* Records it as that process, unless this mapping's stream was told, or does
 * not run. */
void ptl_program_tell(struct ptl_map *map, const struct ptl_emit_as *as);

/* It is about to become another, by which it is not to be known: a process that
 * has not told its name yet does not any more. */
void ptl_program_ends(struct ptl_map *map);

/* The same as the caller, in all of these streams. */
void ptl_program_tell_all(uint64_t active);

/* Before an event of that type is recorded in a stream that runs. */
PTL_INLINE bool ptl_program_is_told(const struct ptl_map *map)
{
	return atomic_load_explicit(&map->is_told, memory_order_relaxed);
}
void ptl_program_introduce(struct ptl_map *map, const struct ptl_emit_as *as,
			   uint32_t id);

#endif
