/* SPDX-License-Identifier: MIT */
/*
 * A compressed log, as --compress writes it: ordinary zstd, which `zstd -dc'
 * makes the log of, byte for byte.  Each frame is of whole packets, and has a
 * mark in front of it: a frame that zstd passes over.
 *
 *   mark  frame of the log's head     stored as it is, so that it can change
 *   mark  frame of packets, some 256 KiB of the log
 *   mark  frame ...
 *
 * While it is written what is not in a frame yet is in a file beside it: the
 * log as any other, but that of what is in frames already only placeholders are
 * left, each with the totals of the packets that it stands for.  At the end
 * that file is removed.  So whoever is killed, nothing is lost: what was in the
 * log is in one of the two, or in both.
 */
#ifndef PTL_TOOLS_READ_PACKED_H
#define PTL_TOOLS_READ_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/format/logfile.h"

/* The name of the other file is that and this. */
#define PTL_PACKED_PART ".part"

#define PTL_PACKED_MAGIC 0x184d2a50u
#define PTL_PACKED_SIGN "PTLzstd\n"

/* Bytes of the log in a frame, unless a packet is larger; and in the least. */
#define PTL_PACKED_FRAME (256u * 1024)
#define PTL_PACKED_LEAST (32u * 1024)

struct ptl_packed_mark {
	uint32_t magic;
	uint32_t size; /* of what follows, for zstd */
	char sign[8];
	uint64_t offset; /* in the log */
	uint64_t raw;	 /* bytes of the log in the frame behind it, which */
	uint64_t packed; /* has so many */
	/* 1: who does not want their time can do without these packets, and
	 * take `stand' in their place. */
	uint32_t plain;
	uint32_t check; /* ptl_packed_check() of what is before it */
	struct ptl_log_packet stand;
};
static_assert(sizeof(struct ptl_packed_mark) == 144, "log ABI");

/* As ptl_log_check(). */
uint32_t ptl_packed_check(const void *data, size_t size);

/* Does the file have a mark there, and the frame behind it, both whole? `size':
 * of the file. */
bool ptl_packed_mark_at(int fd, uint64_t at, uint64_t size,
			struct ptl_packed_mark *mark);

/* Where that frame begins, and the next mark. */
static inline uint64_t ptl_packed_frame(uint64_t at)
{
	return at + sizeof(struct ptl_packed_mark);
}

static inline uint64_t ptl_packed_next(uint64_t at,
				       const struct ptl_packed_mark *mark)
{
	return at + sizeof(*mark) + mark->packed;
}

/* Packets of events, one after the other, as one that has their totals. */
void ptl_packed_stand_begin(struct ptl_log_packet *stand);
void ptl_packed_stand_add(struct ptl_log_packet *stand,
			  const struct ptl_log_packet *packet);
void ptl_packed_stand_end(struct ptl_log_packet *stand);

#endif
