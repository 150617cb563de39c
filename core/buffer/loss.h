/* SPDX-License-Identifier: MIT */
/* Events that were not recorded, or were overwritten before they were read. */
#ifndef PTL_CORE_BUFFER_LOSS_H
#define PTL_CORE_BUFFER_LOSS_H

#include "core/format/registry.h"
#include "core/shm/map.h"

/* So many events more are lost, the first of them at `since'. */
void ptl_loss_add(struct ptl_map *map, uint64_t events, uint64_t since);

/* A process could not record them, since it could not map the stream of its
 * reference i, which the caller has: they are lost to it now. */
void ptl_loss_missed(struct ptl_map *map, struct ptl_shm_entry *entry,
		     unsigned int i);

/* The first of those counted was at `since': OVERFLOW is to be recorded. */
void ptl_loss_since(struct ptl_map *map, uint64_t since);

/* How many events of a chunk that is taken over are unread, given its word
 * `read', and when the first of them was. */
uint64_t ptl_loss_unread(const struct ptl_map *map, uint32_t index,
			 uint64_t read, uint64_t *since);

#endif
