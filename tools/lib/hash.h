/* SPDX-License-Identifier: MIT */
/* Values by keys, which are bytes; and strings, each of them once. */
#ifndef PTL_TOOLS_LIB_HASH_H
#define PTL_TOOLS_LIB_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ptl_hash_node;

/* Set value_size; all else is zero. */
struct ptl_hash {
	size_t value_size;
	size_t nr, room;
	struct ptl_hash_node **head;
	struct ptl_hash_node *first, **last; /* in the order they were made */
};

/* Values never move.  NULL if there is none. */
void *ptl_hash_find(const struct ptl_hash *map, const void *key, size_t size);

/* A new one is all zero. */
void *ptl_hash_get(struct ptl_hash *map, const void *key, size_t size);

/* Walks the values in the order in which they were made: NULL before the
 * first, and behind the last. */
void *ptl_hash_next(const struct ptl_hash *map, const void *value);

/* The key of a value. */
const void *ptl_hash_key(const struct ptl_hash *map, const void *value);

void ptl_hash_clear(struct ptl_hash *map);

/* A copy of the bytes, up to the first null: one pointer for all that are
 * equal; never freed. */
const char *ptl_intern(const char *bytes, size_t size);

#endif
