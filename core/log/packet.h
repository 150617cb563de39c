/* SPDX-License-Identifier: MIT */
/*
 * Packets of a log built in memory.  While a packet is under construction the
 * size in its header is right at all times, so there is no finishing it;
 * ptl_log_append() adds the check.  `room' is that of the whole buffer, which
 * is aligned to 8.  A function that finds no room returns 0 and changes
 * nothing; else the packet's size so far.
 */
#ifndef PTL_CORE_LOG_PACKET_H
#define PTL_CORE_LOG_PACKET_H

#include "core/format/layout.h"
#include "core/format/logfile.h"

/* The header, of a buffer of at least that size; all fields zero that it does
 * not know.  For PTL_PACKET_EVENTS the caller sets first, last, nr_events,
 * chunk* and span. */
size_t ptl_packet_begin(void *buf, enum ptl_packet_kind kind);

/* A record or whole records, size a multiple of 8, as they are. */
size_t ptl_packet_bytes(void *buf, size_t room, const void *data, size_t size);

/* An event type, to a packet of PTL_PACKET_TYPES. */
size_t ptl_packet_type(void *buf, size_t room, uint32_t id, const char *name,
		       const char *fields);

/* An anchor, to a packet of PTL_PACKET_CLOCK. */
size_t ptl_packet_clock(void *buf, size_t room,
			const struct ptl_shm_anchor *anchor);

/* A whole packet of PTL_PACKET_END. */
#define PTL_LOG_PACK_END_SIZE \
	(sizeof(struct ptl_log_packet) + sizeof(struct ptl_log_end))
size_t ptl_packet_end(void *buf, const struct ptl_log_end *end);

#endif
