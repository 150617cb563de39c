/* SPDX-License-Identifier: MIT */
/*
 * The ring.  Slots are taken in order; one that is too small for a packet is
 * taken together with those behind it.  `whole' says where a chain of packets
 * can begin: a slot that was taken together with the one before it is voided
 * together with it.
 */
#include "core/log/rotation.h"

#include <string.h>

#include "core/log/packet.h"
#include "core/sys/syscall.h"

#define HEADER sizeof(struct ptl_log_packet)
/* Below this a slot would be headers for the most part. */
#define SLOT_MIN (8u * 1024)

void ptl_rotation_plan(struct ptl_rotation *ring, uint64_t base, uint64_t size)
{
	uint64_t slot = PTL_MAX(size / PTL_RING_SLOTS,
				PTL_MIN(size / 2, (uint64_t)SLOT_MIN)) &
			~UINT64_C(7);

	*ring = (struct ptl_rotation){.base = base, .slot = slot};
	if (slot >= 2 * HEADER)
		ring->nr = (uint32_t)PTL_MIN(size / slot, PTL_RING_SLOTS);
}

static uint64_t offset_of(const struct ptl_rotation *ring, uint32_t slot)
{
	return ring->base + slot * ring->slot;
}

static uint64_t left(const struct ptl_rotation *ring)
{
	return ring->taken * ring->slot - ring->pos;
}

static void void_header(struct ptl_log_packet *packet, uint64_t size)
{
	ptl_packet_begin(packet, PTL_PACKET_VOID);
	packet->size = size;
	packet->check =
		ptl_log_check(packet, offsetof(struct ptl_log_packet, check));
}

static int make_void(const struct ptl_rotation *ring,
		     const struct ptl_log_writer *log, uint32_t slot,
		     uint32_t nr)
{
	struct ptl_log_packet packet;

	void_header(&packet, nr * ring->slot);
	return ptl_log_write_at(log, offset_of(ring, slot), &packet,
				sizeof(packet));
}

static void take(struct ptl_rotation *ring, uint32_t slot, uint32_t nr)
{
	for (uint32_t i = slot; i < slot + nr; i++) {
		ring->whole[i] = i == slot;
		ring->events[i] = 0;
	}
	ring->cur = slot;
	ring->taken = nr;
	ring->pos = 0;
}

int ptl_rotation_begin(struct ptl_rotation *ring,
		       const struct ptl_log_writer *log)
{
	for (uint32_t i = 0; i < ring->nr; i++) {
		ring->whole[i] = true;
		ring->events[i] = 0;
	}
	ring->round = false;
	take(ring, 0, 1);
	return make_void(ring, log, 0, 1);
}

/* *err: why it cannot be read, if so. */
static bool header_at(const struct ptl_log_writer *log, uint64_t offset,
		      struct ptl_log_packet *packet, int *err)
{
	long n;

	do
		n = ptl_sys_pread(log->fd, packet, sizeof(*packet),
				  (int64_t)offset);
	while (n == -EINTR);
	if (n < 0)
		*err = (int)-n;
	return n == (long)sizeof(*packet) &&
	       packet->magic == PTL_PACKET_MAGIC && packet->size % 8 == 0 &&
	       packet->size >= sizeof(*packet) &&
	       packet->check ==
		       ptl_log_check(packet,
				     offsetof(struct ptl_log_packet, check));
}

/* The slots from `slot' on that must go with it, at least `nr'. */
static uint32_t together(const struct ptl_rotation *ring, uint32_t slot,
			 uint32_t nr)
{
	while (slot + nr < ring->nr && !ring->whole[slot + nr])
		nr++;
	return nr;
}

/* How far so many slots are filled; the events in them count. */
static uint64_t catch_up(struct ptl_rotation *ring,
			 const struct ptl_log_writer *log, uint32_t slot,
			 uint32_t nr, int *err)
{
	uint64_t size = nr * ring->slot, pos = 0;
	struct ptl_log_packet packet;

	while (size - pos >= HEADER &&
	       header_at(log, offset_of(ring, slot) + pos, &packet, err) &&
	       packet.kind != PTL_PACKET_VOID && packet.size <= size - pos) {
		if (packet.kind == PTL_PACKET_EVENTS)
			ring->events[slot] +=
				PTL_MIN(packet.nr_events,
					packet.size / PTL_RECORD_HEADER);
		pos += packet.size;
	}
	return pos;
}

int ptl_rotation_resume(struct ptl_rotation *ring,
			const struct ptl_log_writer *log,
			const struct ptl_log_head *head, uint32_t cur,
			uint32_t taken)
{
	struct ptl_log_packet packet;
	int err = 0;

	*ring = (struct ptl_rotation){.base = head->head_size};
	if (head->ring_slots == 0)
		return 0;
	if (head->ring_slots > PTL_RING_SLOTS || head->ring_slot < 2 * HEADER ||
	    head->ring_slot % 8 || head->ring_slot > UINT64_C(1) << 48 ||
	    cur >= head->ring_slots || taken > head->ring_slots - cur ||
	    taken == 0)
		return EINVAL;
	ring->slot = head->ring_slot;
	ring->nr = head->ring_slots;
	for (uint32_t i = 0; i < ring->nr; i++)
		ring->whole[i] =
			header_at(log, offset_of(ring, i), &packet, &err);
	/* Slots beyond the one in hand are there only if it came round. */
	for (uint32_t i = cur + taken; i < ring->nr; i++)
		ring->round |= ring->whole[i];
	ring->round |= log->end >= offset_of(ring, ring->nr);
	take(ring, cur, taken);
	ring->pos = catch_up(ring, log, cur, taken, &err);
	for (uint32_t i = 0; i < ring->nr; i++)
		if (ring->whole[i] && i != cur)
			catch_up(ring, log, i, together(ring, i, 1), &err);
	/* What is not known to be free would be written over. */
	return err;
}

uint64_t ptl_rotation_room(const struct ptl_rotation *ring)
{
	uint64_t rest = left(ring);

	/* The header of what remains void. */
	return rest > HEADER ? rest - HEADER : 0;
}

bool ptl_rotation_fits(const struct ptl_rotation *ring, uint64_t size)
{
	return size <= ring->nr * ring->slot - HEADER;
}

int ptl_rotation_turn(struct ptl_rotation *ring,
		      const struct ptl_log_writer *log, uint64_t size,
		      uint64_t *lost)
{
	uint32_t nr = (uint32_t)((size + HEADER + ring->slot - 1) / ring->slot);
	uint32_t next = ring->cur + ring->taken;
	bool round = ring->round;
	int err;

	*lost = 0;
	if (next + nr > ring->nr) {
		/* What was never written at the end has no header yet. */
		if (!round && next < ring->nr) {
			err = make_void(ring, log, next, ring->nr - next);
			if (err)
				return err;
			for (uint32_t i = next + 1; i < ring->nr; i++)
				ring->whole[i] = false;
		}
		round = true;
		next = 0;
	}
	if (round)
		nr = together(ring, next, nr);
	err = make_void(ring, log, next, nr);
	if (err)
		return err;
	ring->round = round;
	for (uint32_t i = next; i < next + nr; i++)
		*lost += ring->events[i];
	take(ring, next, nr);
	return 0;
}

int ptl_rotation_append(struct ptl_rotation *ring,
			const struct ptl_log_writer *log, void *packets,
			size_t size, uint64_t events)
{
	uint64_t at = offset_of(ring, ring->cur) + ring->pos;
	int err = ptl_log_seal(packets, size);

	if (err)
		return err;
	void_header((void *)((char *)packets + size), left(ring) - size);
	err = ptl_log_write_at(log, at + HEADER, (char *)packets + HEADER,
			       size);
	if (!err)
		err = ptl_log_write_at(log, at, packets, HEADER);
	if (err)
		return err;
	ring->pos += size;
	ring->events[ring->cur] += events;
	return 0;
}

uint64_t ptl_rotation_end(const struct ptl_rotation *ring)
{
	return ring->round ? offset_of(ring, ring->nr) :
			     offset_of(ring, ring->cur) + ring->pos;
}
