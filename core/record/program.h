/* SPDX-License-Identifier: MIT */
/*
 * The name of the program that this process runs, for logs in which no
 * process:start of it is: their stream came to it when it ran already, it
 * stands aside, or the stream does not record the starts and forks of
 * processes.  Not for a stream that records no calls of libc: whoever made
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

/* The process is about to become another, by which it is not to be known: one
 * that has not told its name yet does not any more. */
void ptl_program_ends(struct ptl_map *map);

/* Records the name as the caller, in all of these streams. */
void ptl_program_tell_all(uint64_t active);

/* In a child that was forked: in those of the streams that do not record its
 * fork the child says whose it is, and what it runs.  parent: 0 if its number
 * is one of another pid namespace. */
void ptl_program_forked(uint64_t streams, const struct ptl_emit_as *as,
			uint32_t parent);

/* Before an event of that type is recorded in a stream that runs. */
PTL_INLINE bool ptl_program_is_told(const struct ptl_map *map)
{
	return atomic_load_explicit(&map->is_told, memory_order_relaxed);
}
void ptl_program_introduce(struct ptl_map *map, const struct ptl_emit_as *as,
			   uint32_t id);

#endif
