/* SPDX-License-Identifier: MIT */
/* See packed.h. */
#include "tools/read/packed.h"

#include <string.h>
#include <unistd.h>

uint32_t ptl_packed_check(const void *data, size_t size)
{
	const unsigned char *p = data;
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ p[i]) * 16777619u;
	return hash;
}

static bool is_mark(const struct ptl_packed_mark *mark)
{
	return mark->magic == PTL_PACKED_MAGIC &&
	       mark->size == sizeof(*mark) - 8 &&
	       memcmp(mark->sign, PTL_PACKED_SIGN, sizeof(mark->sign)) == 0 &&
	       mark->check ==
		       ptl_packed_check(
			       mark, offsetof(struct ptl_packed_mark, check));
}

bool ptl_packed_mark_at(int fd, uint64_t at, uint64_t size,
			struct ptl_packed_mark *mark)
{
	return at < size && size - at >= sizeof(*mark) &&
	       pread(fd, mark, sizeof(*mark), (off_t)at) == sizeof(*mark) &&
	       is_mark(mark) && mark->packed <= size - at - sizeof(*mark) &&
	       mark->raw <= UINT64_MAX / 2 && mark->offset <= UINT64_MAX / 2;
}

void ptl_packed_stand_begin(struct ptl_log_packet *stand)
{
	*stand = (struct ptl_log_packet){
		.magic = PTL_PACKET_MAGIC,
		.kind = PTL_PACKET_EVENTS,
		.first = UINT64_MAX,
		.chunk = UINT32_MAX,
		.rank = PTL_PACKET_PLAIN,
	};
}

void ptl_packed_stand_add(struct ptl_log_packet *stand,
			  const struct ptl_log_packet *packet)
{
	stand->size += packet->size;
	stand->nr_events += packet->nr_events;
	if (packet->first < stand->first) {
		stand->first = packet->first;
		stand->span = packet->span;
	}
	if (packet->last > stand->last)
		stand->last = packet->last;
	/* One may say nothing of its last event. */
	if (packet->last < packet->first)
		stand->last = UINT64_MAX;
	if (!(packet->rank & PTL_PACKET_PLAIN))
		stand->rank = 0;
}

void ptl_packed_stand_end(struct ptl_log_packet *stand)
{
	stand->check =
		ptl_packed_check(stand, offsetof(struct ptl_log_packet, check));
}
