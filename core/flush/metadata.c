/* SPDX-License-Identifier: MIT */
/* Packets of event types and of the clock function. */
#include "core/flush/metadata.h"

#include "core/format/logfile.h"
#include "core/buffer/timeline.h"
#include "core/flush/log_policy.h"
#include "core/log/packet.h"
#include "core/shm/names.h"
#include "core/shm/untraced.h"
#include "core/sys/clock.h"

#define CLOCK_INTERVAL_NS UINT64_C(20000000)
#define HEADER sizeof(struct ptl_log_packet)

int ptl_metadata_clock(struct ptl_stream *stream, bool last)
{
	uint64_t ns = ptl_clock_ns(CLOCK_MONOTONIC);
	uint64_t packet[(2 * HEADER + 32) / 8];
	struct ptl_shm_anchor anchor;
	int err;

	if (stream->log.last == stream->log.clock ||
	    (!last && ns - stream->log.clock_ns < CLOCK_INTERVAL_NS))
		return 0;
	anchor = ptl_timeline_extend(stream->map);
	ptl_packet_begin(packet, PTL_PACKET_CLOCK);
	err = ptl_log_policy_other(
		stream, packet,
		ptl_packet_clock(packet, sizeof(packet), &anchor));
	if (err)
		return err;
	stream->log.clock = stream->log.last;
	stream->log.clock_ns = ns;
	return 0;
}

int ptl_metadata_types(struct ptl_stream *stream)
{
	uint32_t count = ptl_names_count(stream->names);
	char name[PTL_NAME_SIZE], fields[PTL_NAME_SIZE];
	/* Behind it must be room for a header: ptl_rotation_append(). */
	uint64_t packet[512 + HEADER / 8];
	size_t size;

	while (stream->log.types < count) {
		uint32_t n = stream->log.types;
		int err;

		size = ptl_packet_begin(packet, PTL_PACKET_TYPES);
		for (; n < count; n++) {
			size_t grown;

			if (ptl_names_get(stream->names, PTL_ID_FIRST_USER + n,
					  name) != 0)
				continue;
			ptl_names_fields(stream->names, PTL_ID_FIRST_USER + n,
					 fields);
			grown = ptl_packet_type(packet, sizeof(packet) - HEADER,
						PTL_ID_FIRST_USER + n, name,
						fields);
			if (!grown)
				break;
			size = grown;
		}
		err = ptl_log_policy_other(stream, packet, size);
		if (err)
			return err;
		stream->log.types = n;
	}
	return 0;
}

int ptl_metadata_untraced(struct ptl_stream *stream)
{
	uint64_t packet[(HEADER + sizeof(struct ptl_untraced)) / 8];
	struct ptl_untraced untraced;
	size_t size;

	ptl_untraced_get(stream->map, &untraced);
	if (atomic_load_explicit(&untraced.count, memory_order_relaxed) == 0)
		return 0;
	ptl_packet_begin(packet, PTL_PACKET_UNTRACED);
	size = ptl_packet_bytes(packet, sizeof(packet), &untraced,
				sizeof(untraced));
	return ptl_log_policy_other(stream, packet, size);
}
