/* SPDX-License-Identifier: MIT */
/* How this process comes into the streams that trace it, as a new image. */
#ifndef PTL_CORE_PROCESS_JOIN_H
#define PTL_CORE_PROCESS_JOIN_H

#include "core/format/registry.h"

/*
 * Enters this image into the registry: finds its entry from before an exec, or
 * makes one, with the streams of `streams' (PTRACE_STREAMS) or of the nearest
 * ancestor that has an entry.  `fresh' is set if the entry is new and some
 * stream is in it: then process:fork is not recorded for this process yet.
 * Returns 0 or why it is not in the registry; then it may be tried again.
 */
int ptl_join_init(const char *streams, bool *fresh);

/* Keeps of a copied entry what children inherit. */
void ptl_join_keep_inherited(struct ptl_shm_entry *entry);

/* Alone in a new process: mappings that are not ours to use, by that entry, can
 * go. */
void ptl_join_unmap_foreign(const struct ptl_shm_entry *entry);

/* The process of that number is in these streams now; expected: see
 * ptl_children_came(). */
void ptl_join_joined(uint64_t active, uint32_t pid, bool expected);

#endif
