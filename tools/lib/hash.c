/* SPDX-License-Identifier: MIT */
/* Values by keys; see hash.h. */
#include "tools/lib/hash.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

/* The value follows, then the key. */
struct ptl_hash_node {
	struct ptl_hash_node *next;  /* of the same hash */
	struct ptl_hash_node *later; /* that was made */
	size_t hash, key_size;
};

/* All strings that there are. */
static struct ptl_hash strings;

static size_t hash_of(const void *key, size_t size)
{
	const unsigned char *p = key;
	uint64_t hash = size, word;

	for (; size >= 8; size -= 8, p += 8) {
		memcpy(&word, p, 8);
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
	}
	for (; size > 0; size--)
		hash = (hash ^ *p++) * UINT64_C(0x100000001b3);
	return (hash * UINT64_C(0x9e3779b97f4a7c15)) >> 16;
}

static void *value_of(struct ptl_hash_node *node)
{
	return node + 1;
}

static struct ptl_hash_node *node_of(const void *value)
{
	return (struct ptl_hash_node *)(uintptr_t)value - 1;
}

static void *key_of(const struct ptl_hash *map, struct ptl_hash_node *node)
{
	return (char *)value_of(node) + map->value_size;
}

static struct ptl_hash_node *find(const struct ptl_hash *map, const void *key,
				  size_t size, size_t hash)
{
	struct ptl_hash_node *node;

	if (map->room == 0)
		return NULL;
	for (node = map->head[hash & (map->room - 1)]; node != NULL;
	     node = node->next)
		if (node->hash == hash && node->key_size == size &&
		    memcmp(key_of(map, node), key, size) == 0)
			return node;
	return NULL;
}

static void grow(struct ptl_hash *map)
{
	size_t room = map->room == 0 ? 64 : 2 * map->room;

	free(map->head);
	map->head = ptl_alloc(room * sizeof(struct ptl_hash_node *));
	map->room = room;
	for (struct ptl_hash_node *node = map->first; node != NULL;
	     node = node->later) {
		struct ptl_hash_node **head =
			&map->head[node->hash & (room - 1)];

		node->next = *head;
		*head = node;
	}
}

void *ptl_hash_find(const struct ptl_hash *map, const void *key, size_t size)
{
	struct ptl_hash_node *node = find(map, key, size, hash_of(key, size));

	return node != NULL ? value_of(node) : NULL;
}

void *ptl_hash_get(struct ptl_hash *map, const void *key, size_t size)
{
	size_t hash = hash_of(key, size);
	struct ptl_hash_node *node = find(map, key, size, hash), **head;

	if (node != NULL)
		return value_of(node);
	if (map->nr >= map->room)
		grow(map);
	/* A null behind the key, so that it can be a string. */
	node = ptl_alloc(sizeof(*node) + map->value_size + size + 1);
	node->hash = hash;
	node->key_size = size;
	memcpy(key_of(map, node), key, size);
	head = &map->head[hash & (map->room - 1)];
	node->next = *head;
	*head = node;
	if (map->last == NULL)
		map->last = &map->first;
	*map->last = node;
	map->last = &node->later;
	map->nr++;
	return value_of(node);
}

void *ptl_hash_next(const struct ptl_hash *map, const void *value)
{
	struct ptl_hash_node *node =
		value == NULL ? map->first : node_of(value)->later;

	return node != NULL ? value_of(node) : NULL;
}

const void *ptl_hash_key(const struct ptl_hash *map, const void *value)
{
	return key_of(map, node_of(value));
}

void ptl_hash_clear(struct ptl_hash *map)
{
	struct ptl_hash_node *node, *later;

	for (node = map->first; node != NULL; node = later) {
		later = node->later;
		free(node);
	}
	free(map->head);
	*map = (struct ptl_hash){.value_size = map->value_size};
}

const char *ptl_intern(const char *bytes, size_t size)
{
	size = strnlen(bytes, size);
	return ptl_hash_key(&strings, ptl_hash_get(&strings, bytes, size));
}
