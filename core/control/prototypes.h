/* SPDX-License-Identifier: MIT */
/*
 * What a stream says of functions that its processes hook: a segment beside its
 * own, made once, by its controller, and only read afterwards.
 */
#ifndef PTL_CORE_CONTROL_PROTOTYPES_H
#define PTL_CORE_CONTROL_PROTOTYPES_H

#include "core/shm/map.h"

/* Makes it.  Returns 0, EEXIST, ENOSPC, ENOMEM, errno. */
int ptl_prototypes_create(int dir, struct ptl_map *map, const char *text,
			  size_t size);

/*
 * Maps that of a stream, for good: functions go by it until the process ends.
 * NULL: it has none, or none that can be reached from here.
 */
const char *ptl_prototypes_attach(const struct ptl_map *map, size_t *size);

/* Removes it, before its stream. */
void ptl_prototypes_remove(int dir, const struct ptl_map *map);

/* Of a stream that is no more. */
int ptl_prototypes_collect(int dir, const char *name, void *arg);

#endif
