/* SPDX-License-Identifier: MIT */
/* Messages as protocol buffers encode them; see proto.h. */
#include "tools/dump/export/proto.h"

#include <string.h>

#include "tools/lib/quote.h"

#define VARINT_MAX 10

enum { VARINT = 0, FIXED64 = 1, LENGTH = 2 };

static size_t varint(unsigned char *to, uint64_t value)
{
	size_t size = 0;

	for (; value > 127; value >>= 7)
		to[size++] = (unsigned char)(value | 128);
	to[size++] = (unsigned char)value;
	return size;
}

static void put_varint(struct ptl_bytes *proto, uint64_t value)
{
	proto->used += varint(ptl_bytes_room(proto, VARINT_MAX), value);
}

static void put_tag(struct ptl_bytes *proto, unsigned int field,
		    unsigned int type)
{
	put_varint(proto, field << 3 | type);
}

void ptl_proto_uint(struct ptl_bytes *proto, unsigned int field, uint64_t value)
{
	put_tag(proto, field, VARINT);
	put_varint(proto, value);
}

void ptl_proto_fixed(struct ptl_bytes *proto, unsigned int field,
		     uint64_t value)
{
	unsigned char bytes[8];

	for (unsigned int i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(value >> 8 * i);
	put_tag(proto, field, FIXED64);
	ptl_bytes_put(proto, bytes, sizeof(bytes));
}

void ptl_proto_double(struct ptl_bytes *proto, unsigned int field, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	ptl_proto_fixed(proto, field, bits);
}

void ptl_proto_bytes(struct ptl_bytes *proto, unsigned int field,
		     const void *bytes, size_t size)
{
	put_tag(proto, field, LENGTH);
	put_varint(proto, size);
	ptl_bytes_put(proto, bytes, size);
}

void ptl_proto_text(struct ptl_bytes *proto, unsigned int field,
		    const char *text, size_t size)
{
	size_t opened;

	if (ptl_quote_valid(text, size) == size) {
		ptl_proto_bytes(proto, field, text, size);
		return;
	}
	opened = ptl_proto_open(proto, field);
	ptl_bytes_text(proto, text, size);
	ptl_proto_close(proto, opened);
}

/* The size of most messages takes one byte; it is put in later. */
size_t ptl_proto_open(struct ptl_bytes *proto, unsigned int field)
{
	put_tag(proto, field, LENGTH);
	*ptl_bytes_room(proto, 1) = 0;
	return ++proto->used;
}

void ptl_proto_close(struct ptl_bytes *proto, size_t opened)
{
	unsigned char size[VARINT_MAX];
	size_t length = proto->used - opened, more = varint(size, length) - 1;

	if (more > 0) {
		ptl_bytes_room(proto, more);
		memmove(proto->bytes + opened + more, proto->bytes + opened,
			length);
		proto->used += more;
	}
	memcpy(proto->bytes + opened - 1, size, more + 1);
}

void ptl_proto_write(struct ptl_bytes *proto, unsigned int field,
		     struct ptl_out *out)
{
	unsigned char head[2 * VARINT_MAX];
	size_t size = varint(head, field << 3 | LENGTH);

	size += varint(head + size, proto->used);
	ptl_out_bytes(out, head, size);
	ptl_out_bytes(out, proto->bytes, proto->used);
	proto->used = 0;
}
