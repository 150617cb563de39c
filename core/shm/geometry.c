/* SPDX-License-Identifier: MIT */
/* See geometry.h; the rule is in ptl_geometry_of(). */
#include "core/shm/geometry.h"

#include "core/defaults.h"
#include "core/format/record.h"
#include "core/shm/segment.h"

#include <trace.h>

#define PAGE 4096u
#define CHUNK_MAX (64u * 1024)
/* Chunks are no longer than this for the sake of large records alone. */
#define CHUNK_LARGE (1024u * 1024)
/* By how many chunks a stream of a given size may grow at most, by how many
 * times stream-min-size, and to what (growth.h). */
#define GROWTH_CHUNKS 1024u
#define GROWTH_TIMES 16u
#define GROWTH_GIVEN (UINT64_C(64) << 20)
/* Of a bridge: its chunks together, and how many there are at least. */
#define BRIDGE_SIZE (1024u * 1024)
#define BRIDGE_CHUNKS_MIN 12u

uint64_t ptl_geometry_record(uint64_t max_data)
{
	uint64_t filter = 2 * PTL_ID_LIMIT / 8;

	/* START and FILTER data are never cut by max-data-size. */
	return ptl_align8(PTL_RECORD_HEADER_EXT + PTL_MAX(max_data, filter));
}

static uint64_t align_page(uint64_t size)
{
	return (size + PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

/* What a record has before it at worst: its stack, and a span. */
static uint64_t worst_before(uint32_t stack_depth)
{
	return ptl_record_stack_bytes(stack_depth) + PTL_RECORD_HEADER +
	       sizeof(struct ptl_shm_span);
}

uint64_t ptl_geometry_worst(uint64_t max_data, uint32_t stack_depth)
{
	return ptl_geometry_record(max_data) + worst_before(stack_depth);
}

/* The worst record but FILTER, of which there are few. */
static uint64_t worst_usual(uint64_t max_data, uint32_t stack_depth)
{
	return ptl_align8(PTL_RECORD_HEADER_EXT + max_data) +
	       worst_before(stack_depth);
}

static uint64_t chunk_size(const struct ptl_shm_attr *attr)
{
	uint64_t record = ptl_geometry_worst(attr->max_data, attr->stack_depth);
	uint64_t usual = worst_usual(attr->max_data, attr->stack_depth);
	uint64_t size = PTL_MAX(attr->stream_size / 64, PTL_CHUNK_MIN);
	uint64_t some = PTL_MAX(4 * usual, record + usual);

	size = PTL_MIN(size, CHUNK_MAX);
	/* A thread that claims or flushes looks at all of them. */
	size = PTL_MAX(size, PTL_MIN(attr->stream_size / 512, 4 * CHUNK_MAX));
	/* Of a stream so large there would be too many. */
	size = PTL_MAX(size, attr->stream_size / (PTL_MAX_CHUNKS / 4));
	if (some <= PTL_MAX(size, CHUNK_LARGE))
		return align_page(PTL_MAX(size, some));
	/* No event that must not be lost is larger than stream-min-size. */
	return align_page(
		PTL_MAX(size, record + PTL_MIN(record, attr->stream_size)));
}

/*
 * How many chunks are needed, given their size, for all that must not be lost.
 * A chunk is left when a record does not fit any more; the largest that counts
 * is no larger than stream-min-size.
 */
static uint64_t needed(const struct ptl_shm_attr *attr, uint64_t size)
{
	uint64_t record =
		PTL_MIN(ptl_geometry_worst(attr->max_data, attr->stack_depth),
			attr->stream_size);

	return (attr->stream_size + size - record - 1) / (size - record);
}

uint32_t ptl_geometry_shared(uint64_t size)
{
	return size <= 4 * CHUNK_MAX ? 4 : 2;
}

/*
 * Beyond what is needed there is one for the controller (chunk.c), those for
 * sharing, and one for each of so many threads, which may hold it for ever and
 * write little to it.  When these are gone, threads share: each claims a chunk
 * for one record at a time, which is slow, but loses nothing.  So it has to be
 * if a chunk is large, or where there is no space for more (`tight').
 */
static uint64_t spare(uint64_t need, uint64_t size, bool is_tight)
{
	if (size <= 4 * CHUNK_MAX && !is_tight)
		return PTL_MAX(24, need / 3);
	return 1 + ptl_geometry_shared(size) + 2;
}

static bool sane(const struct ptl_shm_attr *attr)
{
	return attr->max_data <= UINT64_C(1) << 40 &&
	       attr->stream_size <= UINT64_C(1) << 44 &&
	       attr->stack_depth <= PTL_STACK_MAX;
}

static void place(struct ptl_geometry *geo)
{
	geo->table_off = PAGE;
	geo->log_off = align_page(
		geo->table_off + geo->nr_chunks * sizeof(struct ptl_shm_chunk));
	geo->chunks_off = align_page(geo->log_off + sizeof(struct ptl_shm_log));
	geo->total = geo->chunks_off + geo->nr_chunks * geo->chunk_size;
}

static bool grows(const struct ptl_shm_attr *attr)
{
	return attr->stream_policy == POSIX_TRACE_FLUSH ||
	       attr->stream_policy == POSIX_TRACE_BLOCK_NP;
}

bool ptl_geometry_is_free(const struct ptl_shm_attr *attr)
{
	return grows(attr) &&
	       attr->stream_size == (uint64_t)PTL_DEFAULT_STREAM_KIB << 10;
}

/*
 * Where events go on to a log there may be more of them on their way than
 * stream-min-size, and any number of threads: of a size that nobody has asked
 * for as many as have room.
 */
static uint64_t growth(const struct ptl_shm_attr *attr, uint64_t room,
		       uint64_t size)
{
	uint64_t most = PTL_SHM_GROWTH;

	if (!grows(attr))
		return 0;
	if (ptl_geometry_is_free(attr))
		return PTL_MIN(room, most) / size;
	most = PTL_MIN(GROWTH_TIMES * attr->stream_size, GROWTH_GIVEN);
	return PTL_MIN(PTL_MIN(room, most) / size, GROWTH_CHUNKS);
}

bool ptl_geometry_of(const struct ptl_shm_attr *attr, uint64_t room,
		     bool is_tight, struct ptl_geometry *geo)
{
	uint64_t need, more;

	if (!sane(attr))
		return false;
	geo->chunk_size = chunk_size(attr);
	if (geo->chunk_size > PTL_CHUNK_LIMIT)
		return false;
	need = needed(attr, geo->chunk_size);
	geo->nr_first = need + spare(need, geo->chunk_size, is_tight);
	if (geo->nr_first > PTL_MAX_CHUNKS)
		return false;
	more = growth(attr, room, geo->chunk_size);
	geo->nr_chunks = PTL_MIN(geo->nr_first + more, PTL_MAX_CHUNKS);
	place(geo);
	return true;
}

uint32_t ptl_geometry_kept(const struct ptl_shm_attr *attr, uint64_t size,
			   uint64_t nr)
{
	uint64_t other;

	if (!sane(attr) ||
	    size <= PTL_MIN(ptl_geometry_worst(attr->max_data,
					       attr->stack_depth),
			    attr->stream_size))
		return 0;
	other = needed(attr, size) + 1 + ptl_geometry_shared(size);
	return (uint32_t)(nr > other ? nr - other : 0);
}

void ptl_geometry_bridge(uint64_t chunk_size, struct ptl_geometry *geo)
{
	uint64_t nr = PTL_MAX(BRIDGE_SIZE / chunk_size, BRIDGE_CHUNKS_MIN);

	geo->chunk_size = chunk_size;
	geo->nr_first = geo->nr_chunks = PTL_MIN(nr, PTL_BRIDGE_CHUNKS);
	place(geo);
}
