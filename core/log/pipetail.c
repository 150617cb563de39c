/* SPDX-License-Identifier: MIT */
#include "core/log/pipetail.h"

#include "core/format/layout.h"
#include "core/format/logfile.h"
#include "core/format/record.h"
#include "core/sys/syscall.h"

#include <string.h>

#define HEADER sizeof(struct ptl_log_packet)

void ptl_pipetail_begin(struct ptl_pipetail *tail, int fd, size_t largest)
{
	long pipe = ptl_sys(SYS_fcntl, fd, F_GETPIPE_SZ, 0, 0);
	void *p;

	*tail = (struct ptl_pipetail){.base = NULL};
	if (pipe <= 0)
		return;
	tail->pipe = (size_t)pipe;
	tail->room = tail->pipe + 2 * largest;
	p = ptl_sys_mmap(NULL, tail->room, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p != MAP_FAILED)
		tail->base = p;
}

void ptl_pipetail_end(struct ptl_pipetail *tail)
{
	if (tail->base)
		ptl_sys_munmap(tail->base, tail->room);
	tail->base = NULL;
}

/* Forgets the packets that no pipe can hold any more. */
static void forget(struct ptl_pipetail *tail)
{
	size_t at = 0;

	for (;;) {
		const struct ptl_log_packet *packet = (void *)(tail->base + at);

		if (at == tail->used ||
		    tail->used - at - packet->size < tail->pipe)
			break;
		if (packet->kind == PTL_PACKET_EVENTS)
			tail->before += packet->nr_events;
		at += packet->size;
	}
	tail->used -= at;
	memmove(tail->base, tail->base + at, tail->used);
}

void ptl_pipetail_add(struct ptl_pipetail *tail, const void *packets,
		      size_t size)
{
	if (!tail->base)
		return;
	if (size > tail->room - tail->used)
		forget(tail);
	if (size > tail->room - tail->used)
		return;
	memcpy(tail->base + tail->used, packets, size);
	tail->used += size;
}

/* The whole events in the first `size' bytes of a packet. */
static uint64_t count(const struct ptl_log_packet *packet, size_t size)
{
	const unsigned char *base = (const void *)packet;
	struct ptl_record rec;
	uint64_t events = 0;

	size &= ~(size_t)7;
	for (size_t at = HEADER;
	     at < size && ptl_record_parse(base + at, size - at, &rec);
	     at += rec.bytes)
		events += rec.committed && rec.id < PTL_ID_LIMIT;
	return events;
}

uint64_t ptl_pipetail_events(const struct ptl_pipetail *tail, uint64_t unread)
{
	size_t read = tail->used - (size_t)PTL_MIN(unread, tail->used);
	uint64_t events = tail->before;

	for (size_t at = 0; at < read;) {
		const struct ptl_log_packet *packet = (void *)(tail->base + at);
		size_t size = PTL_MIN(packet->size, read - at);

		if (packet->kind == PTL_PACKET_EVENTS)
			events += count(packet, size);
		at += size;
	}
	return events;
}
