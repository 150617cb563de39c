/* SPDX-License-Identifier: MIT */
/* The builders of packets: what goes where in the bytes of layout.h. */
#include "core/log/packet.h"

#include <string.h>

#include "core/format/record.h"
#include "core/sys/text.h"

size_t ptl_packet_begin(void *buf, enum ptl_packet_kind kind)
{
	struct ptl_log_packet *packet = buf;

	*packet = (struct ptl_log_packet){
		.magic = PTL_PACKET_MAGIC,
		.kind = kind,
		.size = sizeof(*packet),
	};
	return packet->size;
}

/* Size bytes more, a multiple of 8; NULL if there is no room. */
static void *extend(void *buf, size_t room, size_t size)
{
	struct ptl_log_packet *packet = buf;
	void *end = (char *)buf + packet->size;

	if (room < packet->size || room - packet->size < size)
		return NULL;
	packet->size += size;
	return end;
}

size_t ptl_packet_bytes(void *buf, size_t room, const void *data, size_t size)
{
	void *to = extend(buf, room, size);

	if (!to)
		return 0;
	memcpy(to, data, size);
	return ((struct ptl_log_packet *)buf)->size;
}

size_t ptl_packet_type(void *buf, size_t room, uint32_t id, const char *name,
		       const char *fields)
{
	size_t name_size = ptl_strlen(name) + 1;
	size_t fields_size = ptl_strlen(fields) + 1;
	size_t size = ptl_align8(sizeof(struct ptl_log_type) + name_size +
				 fields_size);
	struct ptl_log_type *type = extend(buf, room, size);
	char *text;

	if (!type)
		return 0;
	text = (char *)(type + 1);
	memset(type, 0, size);
	type->size = (uint32_t)size;
	type->id = id;
	memcpy(text, name, name_size);
	memcpy(text + name_size, fields, fields_size);
	return ((struct ptl_log_packet *)buf)->size;
}

size_t ptl_packet_clock(void *buf, size_t room,
			const struct ptl_shm_anchor *anchor)
{
	return ptl_packet_bytes(buf, room, anchor, sizeof(*anchor));
}

size_t ptl_packet_end(void *buf, const struct ptl_log_end *end)
{
	ptl_packet_begin(buf, PTL_PACKET_END);
	return ptl_packet_bytes(buf, PTL_LOG_PACK_END_SIZE, end, sizeof(*end));
}
