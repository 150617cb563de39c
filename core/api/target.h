/* SPDX-License-Identifier: MIT */
/* Whom a stream is to trace: found, and given the stream. */
#ifndef PTL_CORE_API_TARGET_H
#define PTL_CORE_API_TARGET_H

#include "core/shm/map.h"
#include "core/shm/registry.h"

#include <sys/types.h>

/* So often may the process that is to be traced get another entry, or execute a
 * program, while we name the stream. */
#define PTL_TARGET_MOVES 100

/* The process to trace, and its entry, which may have to be made; or, if `all',
 * every process, and the common entry. */
struct ptl_target {
	bool all;
	struct ptl_shm_ident ident;
	struct ptl_registry registry;
	struct ptl_shm_entry *entry;
	uint64_t key;
	int dir;
};

/* By the pid that posix_trace_create() is given.  Returns 0, or its error; then
 * there is nothing to put. */
int ptl_target_get(pid_t pid, struct ptl_target *target);
void ptl_target_put(struct ptl_target *target);

/* Has its process claimed another entry in place of the one that we made, or
 * found?  Then it is to be found again: NULL if it has ended. */
bool ptl_target_has_moved(const struct ptl_target *target);
void ptl_target_find(struct ptl_target *target);

/* Names the stream in its entry. */
int ptl_target_name(struct ptl_target *target, struct ptl_map *map);

#endif
