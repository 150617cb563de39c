/* SPDX-License-Identifier: MIT */
/* Values by keys, which are bytes; and strings, each of them once. */
#ifndef PTL_TOOLS_REPORT_MODEL_MAP_H
#define PTL_TOOLS_REPORT_MODEL_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ptl_map_node;

/* Set value_size; all else is zero. */
struct ptl_map {
	size_t value_size;
	size_t nr, room;
	struct ptl_map_node **head;
	struct ptl_map_node *first, **last; /* in the order they were made */
};

/* Values never move.  NULL if there is none. */
void *ptl_map_find(const struct ptl_map *map, const void *key, size_t size);

/* A new one is all zero. */
void *ptl_map_get(struct ptl_map *map, const void *key, size_t size);

/* Walks the values in the order in which they were made: NULL before the
 * first, and behind the last. */
void *ptl_map_next(const struct ptl_map *map, const void *value);

/* The key of a value. */
const void *ptl_map_key(const struct ptl_map *map, const void *value);

void ptl_map_clear(struct ptl_map *map);

/* The same pointer for the same bytes, up to the first null; never freed. */
const char *ptl_map_string(const char *bytes, size_t size);

#endif
