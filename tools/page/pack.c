/* SPDX-License-Identifier: MIT */
/*
 * Data packed for a page; see pack.h.  A section comes in pieces: its number, a
 * byte; the size of the piece, four bytes, the lowest first; the piece.
 */
#include "tools/page/pack.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "tools/lib/say.h"

#define PIECE 65536
#define LEVEL 6

/* Bytes of a number. */
#define PLANES 10

/* The first bytes of the section's numbers, or their second ones ... */
struct plane {
	unsigned char *byte;
	size_t nr, room;
};

struct ptl_pack {
	struct ptl_out *out;
	z_stream stream;
	unsigned int base, section;
	size_t used, nr_left;
	uint64_t nr_chars;
	unsigned char left[3]; /* of base64, that wait for a third byte */
	struct plane plane[PLANES];
	unsigned char piece[PIECE];
	unsigned char packed[PIECE];
};

/* The output that goes to a section: it cannot know to which pack. */
static struct ptl_out text;
static struct ptl_pack *text_of;

static void put_group(struct ptl_pack *pack, size_t nr)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *left = pack->left;
	char group[4] = {digits[left[0] >> 2],
			 digits[(left[0] & 3) << 4 | left[1] >> 4],
			 digits[(left[1] & 15) << 2 | left[2] >> 6],
			 digits[left[2] & 63]};

	memset(group + nr + 1, '=', 3 - nr);
	ptl_out_bytes(pack->out, group, sizeof(group));
}

static void put_base64(struct ptl_pack *pack, size_t size)
{
	pack->nr_chars += size;
	if (pack->out == NULL)
		return;
	for (size_t i = 0; i < size; i++) {
		pack->left[pack->nr_left++] = pack->packed[i];
		if (pack->nr_left < 3)
			continue;
		put_group(pack, 3);
		pack->nr_left = 0;
	}
}

static void compress_bytes(struct ptl_pack *pack, unsigned char *bytes,
			   size_t size, int flush)
{
	z_stream *stream = &pack->stream;

	stream->next_in = bytes;
	stream->avail_in = (unsigned int)size;
	do {
		stream->next_out = pack->packed;
		stream->avail_out = PIECE;
		deflate(stream, flush);
		put_base64(pack, PIECE - stream->avail_out);
	} while (stream->avail_out == 0);
}

static void flush_piece(struct ptl_pack *pack)
{
	unsigned char head[5] = {(unsigned char)pack->section};

	if (pack->used == 0)
		return;
	for (int i = 0; i < 4; i++)
		head[1 + i] = (unsigned char)(pack->used >> 8 * i);
	compress_bytes(pack, head, sizeof(head), Z_NO_FLUSH);
	compress_bytes(pack, pack->piece, pack->used, Z_NO_FLUSH);
	pack->used = 0;
}

static void put_bytes(struct ptl_pack *pack, const void *from, size_t size)
{
	const unsigned char *bytes = from;

	while (size > 0) {
		size_t part = PIECE - pack->used;

		if (part > size)
			part = size;
		memcpy(pack->piece + pack->used, bytes, part);
		pack->used += part;
		bytes += part;
		size -= part;
		if (pack->used == PIECE)
			flush_piece(pack);
	}
}

static void take_text(const char *bytes, size_t size)
{
	put_bytes(text_of, bytes, size);
}

static void put_planes(struct ptl_pack *pack)
{
	unsigned char nr[4];

	if (pack->plane[0].nr == 0)
		return;
	for (int i = 0; i < 4; i++)
		nr[i] = (unsigned char)(pack->plane[0].nr >> 8 * i);
	put_bytes(pack, nr, sizeof(nr));
	for (int i = 0; i < PLANES; i++) {
		put_bytes(pack, pack->plane[i].byte, pack->plane[i].nr);
		pack->plane[i].nr = 0;
	}
}

struct ptl_pack *ptl_pack_open(struct ptl_out *out)
{
	struct ptl_pack *pack = ptl_alloc(sizeof(*pack));

	pack->out = out;
	/* 16: gzip's header, of no time and no system. */
	if (deflateInit2(&pack->stream, LEVEL, Z_DEFLATED, 15 + 16, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK) {
		ptl_say("out of memory");
		exit(1);
	}
	ptl_out_init(&text, -1, "", NULL);
	text.take = take_text;
	text_of = pack;
	return pack;
}

void ptl_pack_section(struct ptl_pack *pack, unsigned int section)
{
	ptl_out_flush(&text);
	put_planes(pack);
	flush_piece(pack);
	pack->section = pack->base + section;
}

void ptl_pack_count_from(struct ptl_pack *pack, unsigned int base)
{
	pack->base = base;
}

static void put_byte(struct plane *plane, unsigned char byte)
{
	plane->byte = ptl_grow(plane->byte, plane->nr, &plane->room, 1);
	plane->byte[plane->nr++] = byte;
}

void ptl_pack_uint(struct ptl_pack *pack, uint64_t number)
{
	struct plane *plane = pack->plane;

	for (; number >= 128; number >>= 7)
		put_byte(plane++, (unsigned char)(number | 128));
	put_byte(plane, (unsigned char)number);
}

void ptl_pack_int(struct ptl_pack *pack, int64_t number)
{
	uint64_t twice = (uint64_t)number << 1;

	ptl_pack_uint(pack, number < 0 ? ~twice : twice);
}

struct ptl_out *ptl_pack_text(struct ptl_pack *pack)
{
	(void)pack;
	return &text;
}

uint64_t ptl_pack_close(struct ptl_pack *pack)
{
	uint64_t nr_chars;

	ptl_pack_section(pack, 0);
	compress_bytes(pack, NULL, 0, Z_FINISH);
	if (pack->out != NULL && pack->nr_left > 0) {
		memset(pack->left + pack->nr_left, 0, 3 - pack->nr_left);
		put_group(pack, pack->nr_left);
	}
	nr_chars = (pack->nr_chars + 2) / 3 * 4;
	deflateEnd(&pack->stream);
	for (int i = 0; i < PLANES; i++)
		free(pack->plane[i].byte);
	free(pack);
	return nr_chars;
}
