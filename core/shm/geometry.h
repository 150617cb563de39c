/* SPDX-License-Identifier: MIT */
/* The shape of a stream's segment: how large its chunks are, how many, and what
 * is where. */
#ifndef PTL_CORE_SHM_GEOMETRY_H
#define PTL_CORE_SHM_GEOMETRY_H

#include "core/format/layout.h"

#define PTL_CHUNK_MIN (8u * 1024)
/* Below what a slot's word says if there is no chunk (slot.h). */
#define PTL_CHUNK_LIMIT (UINT64_C(1) << 33)
#define PTL_MAX_CHUNKS 0xffffu

struct ptl_geometry {
	uint64_t chunk_size, nr_first, nr_chunks;
	uint64_t table_off, log_off, chunks_off, total;
};

/* The largest record of a stream, header included. */
uint64_t ptl_geometry_record(uint64_t max_data);

/* A worst-case record of a stream with the span it may need. */
uint64_t ptl_geometry_worst(uint64_t max_data, uint32_t stack_depth);

/* Chunks of that size left to threads that share: so many of them may be
 * interrupted, or killed, while they hold one, and the others get on. */
uint32_t ptl_geometry_shared(uint64_t size);

/* Of so many chunks of that size, how many may be kept. */
uint32_t ptl_geometry_kept(const struct ptl_shm_attr *attr, uint64_t size,
			   uint64_t nr);

/* Does it grow as far as there is memory, or by a number of times? */
bool ptl_geometry_is_free(const struct ptl_shm_attr *attr);

/* The shape for these attributes, if it may grow by `room' bytes; tight: with
 * no more than has to be.  False: there can be none. */
bool ptl_geometry_of(const struct ptl_shm_attr *attr, uint64_t room,
		     bool is_tight, struct ptl_geometry *geo);

/* That of a bridge. */
void ptl_geometry_bridge(uint64_t chunk_size, struct ptl_geometry *geo);

#endif
