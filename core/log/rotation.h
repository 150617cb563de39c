/* SPDX-License-Identifier: MIT */
/*
 * A log of policy LOOP: a ring of equal slots right behind the head, the
 * oldest voided when its room is needed, and behind the ring what must not be
 * lost.  Before the ring has come round there is nothing behind it, and the
 * file is as long as what is in it.
 *
 * The bytes from where the next packet goes to the end of the slot are a
 * packet of kind PTL_PACKET_VOID.  What is appended goes into it from behind,
 * its first header last: so at every moment the slot is a chain of packets.
 */
#ifndef PTL_CORE_LOG_ROTATION_H
#define PTL_CORE_LOG_ROTATION_H

#include "core/format/logfile.h"
#include "core/log/writer.h"

#define PTL_RING_SLOTS 64

struct ptl_rotation {
	uint64_t base; /* of the ring, in the file */
	uint64_t slot; /* bytes of a slot */
	uint32_t nr;   /* slots; 0: the log is no ring */
	uint32_t cur;  /* the slot in hand: its packets may go over several */
	uint32_t taken;
	uint64_t pos;			 /* bytes filled of them */
	bool round;			 /* it has come round */
	bool whole[PTL_RING_SLOTS];	 /* a packet begins at the slot's */
	uint64_t events[PTL_RING_SLOTS]; /* counted where they begin */
};

/* The geometry for so many bytes of events.  No ring if there is no room for
 * two slots that are worth it. */
void ptl_rotation_plan(struct ptl_rotation *ring, uint64_t base, uint64_t size);

/* Begins the ring of a log that has its head and no more. */
int ptl_rotation_begin(struct ptl_rotation *ring,
		       const struct ptl_log_writer *log);

/*
 * Goes on with the ring of a log whose controller died: geometry from the log's
 * head, the slots in hand as in the segment.  EINVAL if that cannot be.
 */
int ptl_rotation_resume(struct ptl_rotation *ring,
			const struct ptl_log_writer *log,
			const struct ptl_log_head *head, uint32_t cur,
			uint32_t taken);

/* How many bytes of packets can be appended now. */
uint64_t ptl_rotation_room(const struct ptl_rotation *ring);

/* Can packets of so many bytes ever be appended at once? */
bool ptl_rotation_fits(const struct ptl_rotation *ring, uint64_t size);

/*
 * Takes the next slot, or so many that `size' bytes fit.  *lost: events that
 * were in them.  Returns 0 or as ptl_log_append().
 */
int ptl_rotation_turn(struct ptl_rotation *ring,
		      const struct ptl_log_writer *log, uint64_t size,
		      uint64_t *lost);

/*
 * Appends packets, for which there must be room; behind them in the buffer
 * must be room for a header.  0 or as ptl_log_append(): then nothing of them
 * is in the log.
 */
int ptl_rotation_append(struct ptl_rotation *ring,
			const struct ptl_log_writer *log, void *packets,
			size_t size, uint64_t events);

/* Where the file may end: behind the ring, or what there is of it. */
uint64_t ptl_rotation_end(const struct ptl_rotation *ring);

#endif
