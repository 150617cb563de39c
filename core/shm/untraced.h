/* SPDX-License-Identifier: MIT */
/* Programs of a trace that could not be traced. */
#ifndef PTL_CORE_SHM_UNTRACED_H
#define PTL_CORE_SHM_UNTRACED_H

#include "core/shm/map.h"

/* Why, of a program of which no more is known: its environment was changed, or
 * its limits or a filter let nothing begin, or it was killed before. */
#define PTL_NOT_STARTED "libptrace.so did not start in it"

/* Why of a program that was executed under a filter, or not, and of which the
 * status is known, or -1. */
const char *ptl_untraced_why(bool filtered, int status);

/* Counts one, and notes why if there is room.  Async-signal-safe. */
void ptl_untraced_add(struct ptl_map *map, const char *path,
		      const char *reason);

/* Moves what one segment has of them to another, as if it was added there. */
void ptl_untraced_move(struct ptl_map *map, struct ptl_map *from);

/* What the segment has of them. */
void ptl_untraced_get(const struct ptl_map *map, struct ptl_untraced *untraced);

/* Copies the lines that are whole and fit, with a null. */
void ptl_untraced_lines(const struct ptl_untraced *untraced, char *to,
			size_t size);

#endif
