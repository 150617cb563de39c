/* SPDX-License-Identifier: MIT */
/*
 * What is where in a log: one pass over the packet headers.  Finds the packets
 * of events, takes in event types, clock anchors and the end mark, and gets
 * back in step after damage.  Everything is read by pread(2): a mapping of a
 * file that is cut meanwhile would be SIGBUS.
 */
#ifndef PTL_CORE_LOG_INDEX_H
#define PTL_CORE_LOG_INDEX_H

#include "core/format/logfile.h"
#include "core/log/event.h"
#include "core/log/file.h"
#include "core/log/holes.h"

/* A packet of events. */
struct ptl_log_slot {
	uint64_t offset; /* of its header, in the file */
	uint64_t size;	 /* what the file has of it, header included */
	uint64_t first;	 /* the time at which its first event began */
	uint64_t last;	 /* no event in it is later */
	uint64_t chunk_life;
	uint64_t chunk_end;
	uint32_t chunk;
	uint32_t rank; /* PTL_RANK_* */
	bool cut;      /* the file ends inside it */
	bool bad;      /* its records made no sense: counted already */
	bool plain;    /* PTL_PACKET_PLAIN */
	uint32_t nr;   /* so many of its events are in the state's number */
	uint64_t skip; /* so many events were given out when it was cut */
};

/* What decides among records of the same time. */
PTL_INLINE uint64_t ptl_log_order(const struct ptl_log_slot *slot)
{
	static const uint64_t order[] = {
		[PTL_RANK_EVENT] = UINT64_C(1) << 62,
		[PTL_RANK_BEFORE] = 0,
		[PTL_RANK_AFTER] = UINT64_C(2) << 62,
	};

	return order[slot->rank] | slot->offset;
}

/* Something that is enclosed. */
struct ptl_log_enclosure {
	uint64_t offset; /* of its name, in the file */
	uint64_t size;
	uint32_t name_size;
};

#define PTL_LOG_INDEX_WINDOW 8192

struct ptl_log_index {
	struct ptl_log_file file;
	struct ptl_holes holes;
	struct ptl_log_reader_state state;
	struct ptl_log_slot *slot; /* by first, then by ptl_log_order() */
	size_t nr_slots;
	size_t room_slots;
	struct ptl_shm_anchor *anchor; /* ascending in both members */
	size_t nr_anchors;
	size_t room_anchors;
	struct ptl_log_enclosure *enclosure;
	size_t nr_enclosures;
	size_t room_enclosures;
	uint64_t next;	    /* what follows was not looked at */
	uint64_t origin;    /* counter before which there was no stream */
	uint32_t clock;	    /* PTL_CLOCK_*, which it is of */
	bool timed;	    /* calls say when they began */
	char **type;	    /* by id: name, null, fields, null; or NULL */
	uint32_t types_end; /* above it there is none */
	uint32_t room_types;
	/* The part of the file at hand, only while indexing. */
	uint64_t window_offset;
	size_t window_size;
	unsigned char *window;
};

/*
 * Indexes what follows the head.  `index' is zeroed but for file, holes and
 * state.size.  Returns 0 or ENOMEM; free it in either case.
 */
int ptl_log_index_build(struct ptl_log_index *index,
			const struct ptl_log_head *head);

/* Is what follows all there, now that the file has that size?  False if there
 * is no memory to look. */
bool ptl_log_index_whole(struct ptl_log_index *index, uint64_t size);

/*
 * The file has grown to that size: indexes the packets that are whole now.
 * `given' are the events that were given out of a packet that was cut.  The
 * slots that were there stay where they are.  Returns 0 or ENOMEM.
 */
int ptl_log_index_grow(struct ptl_log_index *index, uint64_t size,
		       uint64_t given);
void ptl_log_index_free(struct ptl_log_index *index);

/* Where the file goes on, from `offset' on and up to `end', but for holes. */
PTL_INLINE uint64_t ptl_log_index_skip(struct ptl_log_index *index,
				       uint64_t offset, uint64_t end)
{
	int fd;

	if (PTL_LIKELY(!index->holes.may_be))
		return offset;
	fd = ptl_log_file_get(&index->file);
	if (fd < 0)
		return offset;
	offset = ptl_holes_skip(&index->holes, fd, offset, end);
	ptl_log_file_put(&index->file);
	return offset;
}

/* See ptl_holes_may_read(). */
PTL_INLINE bool ptl_log_index_may(struct ptl_log_index *index, uint64_t offset,
				  uint64_t size)
{
	bool may;
	int fd;

	if (PTL_LIKELY(!index->holes.may_be))
		return true;
	fd = ptl_log_file_get(&index->file);
	if (fd < 0)
		return false;
	may = ptl_holes_may_read(&index->holes, fd, offset, size);
	ptl_log_file_put(&index->file);
	return may;
}

/* Notes bytes that make no sense. */
void ptl_log_index_bad(struct ptl_log_index *index, uint64_t offset,
		       uint64_t size);

/* Is this the header of a packet, whole and plausible in itself? */
bool ptl_log_index_header_ok(const struct ptl_log_packet *packet);

/* Reads all of size bytes, or tells how many there were; an error that ended
 * it is kept in the state. */
size_t ptl_log_index_pread(struct ptl_log_index *index, void *buf, size_t size,
			   uint64_t offset);

#endif
