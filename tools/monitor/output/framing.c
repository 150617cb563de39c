/* SPDX-License-Identifier: MIT */
/*
 * First a frame is written, then placeholders are put where its packets were,
 * and the file system takes back their room.  To be killed in between does no
 * harm: that the packets are in both files is seen by where the frame ends.
 */
#include "tools/monitor/output/framing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/read/packed.h"
#include "tools/monitor/output/zstd.h"

/* So much room is kept in front of us where a disk may become full: with the
 * next frames written there is more than they took. */
#define RESERVE (UINT64_C(1) << 20)

/* Much of the part gives way at a time: each time costs as much as compressing
 * some KiB. */
#define GIVEN_WAY (UINT64_C(4) << 20)

/* A hole is of whole pages. */
#define PAGE UINT64_C(4096)

/* The frame that stores the head as it is: see RFC 8878.  One segment, its size
 * as 16 bits, of which 256 are taken off; one block, the last. */
#define STORED_MAGIC 0xfd2fb528u
#define STORED_SINGLE 0x60
#define STORED_BEFORE 10
#define HEAD sizeof(struct ptl_log_head)
static_assert(HEAD >= 256 && HEAD < 65536, "16 bits");

static bool write_at(int fd, const void *data, size_t size, uint64_t at,
		     int *error)
{
	const char *from = data;

	while (size > 0) {
		ssize_t done = pwrite(fd, from, size, (off_t)at);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0) {
			*error = done < 0 ? errno : EIO;
			return false;
		}
		from += done;
		at += (uint64_t)done;
		size -= (size_t)done;
	}
	return true;
}

static bool read_at(int fd, void *data, size_t size, uint64_t at)
{
	char *to = data;

	while (size > 0) {
		ssize_t done = pread(fd, to, size, (off_t)at);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		to += done;
		at += (uint64_t)done;
		size -= (size_t)done;
	}
	return true;
}

/* False: there is no memory. */
static bool give_room(unsigned char **buf, size_t *room, size_t size)
{
	unsigned char *more;

	if (size <= *room)
		return true;
	more = realloc(*buf, size);
	if (more == NULL)
		return false;
	*buf = more;
	*room = size;
	return true;
}

static void put_mark(struct ptl_framing *frames, size_t raw, size_t packed,
		     const struct ptl_log_packet *stand)
{
	struct ptl_packed_mark mark = {
		.magic = PTL_PACKED_MAGIC,
		.size = sizeof(mark) - 8,
		.offset = frames->done,
		.raw = raw,
		.packed = packed,
	};

	memcpy(mark.sign, PTL_PACKED_SIGN, sizeof(mark.sign));
	if (stand != NULL) {
		mark.plain = 1;
		mark.stand = *stand;
	}
	mark.check = ptl_packed_check(&mark,
				      offsetof(struct ptl_packed_mark, check));
	memcpy(frames->out, &mark, sizeof(mark));
}

static void reserve(struct ptl_framing *frames)
{
	if (frames->end + RESERVE / 2 > frames->reserved &&
	    fallocate(frames->packed, FALLOC_FL_KEEP_SIZE, (off_t)frames->end,
		      (off_t)RESERVE) == 0)
		frames->reserved = frames->end + RESERVE;
	frames->is_short = frames->end + RESERVE / 2 > frames->reserved;
}

/* The mark and the frame, which are in `out'; all of it or nothing. */
static bool put_frame(struct ptl_framing *frames, size_t raw, size_t packed)
{
	size_t size = sizeof(struct ptl_packed_mark) + packed;

	frames->error = 0;
	reserve(frames);
	if (!write_at(frames->packed, frames->out, size, frames->end,
		      &frames->error)) {
		if (ftruncate(frames->packed, (off_t)frames->end) != 0)
			frames->reserved = 0;
		return false;
	}
	frames->done += raw;
	frames->end += size;
	return true;
}

/* The head is there from the beginning, and stays in the part. */
static bool put_head(struct ptl_framing *frames)
{
	size_t size = STORED_BEFORE + HEAD;
	uint32_t magic = STORED_MAGIC, block = HEAD << 3 | 1;
	uint16_t less = HEAD - 256;
	unsigned char *frame;

	if (!give_room(&frames->out, &frames->out_room,
		       sizeof(struct ptl_packed_mark) + size)) {
		frames->error = ENOMEM;
		return false;
	}
	frame = frames->out + sizeof(struct ptl_packed_mark);
	memcpy(frame, &magic, 4);
	frame[4] = STORED_SINGLE;
	memcpy(frame + 5, &less, 2);
	memcpy(frame + 7, &block, 3);
	if (!read_at(frames->part, frame + STORED_BEFORE, HEAD, 0)) {
		frames->error = EIO;
		return false;
	}
	put_mark(frames, HEAD, size, NULL);
	return put_frame(frames, HEAD, size);
}

/* What could not be written of a log's end is in its head: cut_short. */
static bool put_head_again(struct ptl_framing *frames)
{
	const uint64_t at = sizeof(struct ptl_packed_mark) + STORED_BEFORE;
	unsigned char head[HEAD], before[HEAD];

	if (!read_at(frames->part, head, HEAD, 0) ||
	    !read_at(frames->packed, before, HEAD, at)) {
		frames->error = EIO;
		return false;
	}
	return memcmp(head, before, HEAD) == 0 ||
	       write_at(frames->packed, head, HEAD, at, &frames->error);
}

int ptl_framing_begin(struct ptl_framing *frames, int part, int packed)
{
	struct ptl_packed_mark mark;
	struct stat st;

	*frames = (struct ptl_framing){.part = part, .packed = packed};
	if (fstat(packed, &st) != 0)
		return errno;
	while (ptl_packed_mark_at(packed, frames->end, (uint64_t)st.st_size,
				  &mark) &&
	       mark.offset == frames->done) {
		frames->done += mark.raw;
		frames->end = ptl_packed_next(frames->end, &mark);
	}
	return ftruncate(packed, (off_t)frames->end) != 0 ? errno : 0;
}

static bool is_packet(const struct ptl_log_packet *packet)
{
	return packet->magic == PTL_PACKET_MAGIC &&
	       packet->size >= sizeof(*packet) && packet->size % 8 == 0 &&
	       packet->check ==
		       ptl_packed_check(packet,
					offsetof(struct ptl_log_packet, check));
}

static bool is_plain(const struct ptl_log_packet *packet)
{
	return packet->kind == PTL_PACKET_EVENTS &&
	       packet->rank & PTL_PACKET_PLAIN && packet->last >= packet->first;
}

/* A frame that is being put together. */
struct draft {
	size_t size;
	bool is_plain, is_full;
	struct ptl_log_packet stand;
};

/* Takes the packet at the end of the draft.  False: it is for the next one. */
static bool take(struct draft *draft, const struct ptl_log_packet *packet)
{
	bool plain = is_plain(packet);

	if (draft->size == 0) {
		draft->is_plain = plain;
		ptl_packed_stand_begin(&draft->stand);
	}
	if (draft->size > 0 &&
	    (draft->size + packet->size > PTL_PACKED_FRAME ||
	     (plain != draft->is_plain && draft->size >= PTL_PACKED_LEAST))) {
		draft->is_full = true;
		return false;
	}
	draft->is_plain &= plain;
	ptl_packed_stand_add(&draft->stand, packet);
	draft->size += packet->size;
	draft->is_full = draft->size >= PTL_PACKED_FRAME;
	return !draft->is_full;
}

/* So many bytes of the part, or more, are in `raw'.  False, with an error: they
 * cannot be. */
static bool read_ahead(struct ptl_framing *frames, size_t size)
{
	if (size <= frames->ahead)
		return true;
	if (!give_room(&frames->raw, &frames->raw_room, size)) {
		frames->error = ENOMEM;
		return false;
	}
	if (!read_at(frames->part, frames->raw + frames->ahead,
		     size - frames->ahead, frames->done + frames->ahead)) {
		frames->error = EIO;
		return false;
	}
	frames->ahead = size;
	return true;
}

/* As many packets as make a frame, of `size' bytes that are there.  They are
 * read at once, and not again. */
static struct draft make_draft(struct ptl_framing *frames, uint64_t size)
{
	struct draft draft = {.size = 0};
	struct ptl_log_packet packet;
	const size_t most = PTL_PACKED_FRAME + sizeof(packet);

	frames->ahead = 0;
	if (!read_ahead(frames, size < most ? (size_t)size : most))
		return draft;
	while (size - draft.size >= sizeof(packet) &&
	       frames->ahead - draft.size >= sizeof(packet)) {
		memcpy(&packet, frames->raw + draft.size, sizeof(packet));
		if (!is_packet(&packet)) {
			frames->is_odd = true;
			break;
		}
		if (packet.size > size - draft.size || !take(&draft, &packet))
			break;
	}
	return draft;
}

/* One placeholder for all that is to give way by now. */
static void punch(struct ptl_framing *frames)
{
	struct ptl_log_packet *stand = &frames->stand;
	uint64_t from = frames->stand_at, to = from + stand->size;
	uint64_t begin = (from + sizeof(*stand) + PAGE - 1) & ~(PAGE - 1);
	int error;

	to &= ~(PAGE - 1);
	if (stand->size > 0 && to > begin) {
		ptl_packed_stand_end(stand);
		/* If that fails the part is larger. */
		if (write_at(frames->part, stand, sizeof(*stand), from, &error))
			fallocate(frames->part,
				  FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
				  (off_t)begin, (off_t)(to - begin));
	}
	ptl_packed_stand_begin(stand);
}

/* Packets of events, which are in the frame that was made of `raw', give way to
 * placeholders, several frames at a time. */
static void give_way(struct ptl_framing *frames, uint64_t from, size_t size)
{
	for (size_t at = 0; at < size;) {
		struct ptl_log_packet packet;

		memcpy(&packet, frames->raw + at, sizeof(packet));
		if (packet.kind != PTL_PACKET_EVENTS) {
			punch(frames);
		} else {
			if (frames->stand.size == 0) {
				ptl_packed_stand_begin(&frames->stand);
				frames->stand_at = from + at;
			}
			ptl_packed_stand_add(&frames->stand, &packet);
		}
		at += packet.size;
	}
	if (frames->stand.size >= GIVEN_WAY || frames->is_short)
		punch(frames);
}

static bool pack(struct ptl_framing *frames, size_t size,
		 const struct ptl_log_packet *stand)
{
	size_t bound = sizeof(struct ptl_packed_mark) + ptl_zstd_bound(size);
	size_t packed = 0;

	if (!give_room(&frames->out, &frames->out_room, bound)) {
		frames->error = ENOMEM;
		return false;
	}
	if (!read_ahead(frames, size))
		return false;
	packed = ptl_zstd_pack(frames->out + sizeof(struct ptl_packed_mark),
			       bound - sizeof(struct ptl_packed_mark),
			       frames->raw, size);
	if (packed == 0) {
		frames->error = ENOMEM;
		return false;
	}
	put_mark(frames, size, packed, stand);
	return put_frame(frames, size, packed);
}

bool ptl_framing_step(struct ptl_framing *frames, uint64_t limit, bool last)
{
	uint64_t from;
	struct draft draft;

	if (frames->done == 0)
		return put_head(frames);
	if (limit <= frames->done || (frames->is_odd && !last))
		return false;
	from = frames->done;
	draft = make_draft(frames, limit - from);
	if (draft.size == 0 && last) {
		/* Nobody can say what that is. */
		uint64_t rest = limit - from;

		return pack(frames,
			    rest < PTL_PACKED_FRAME ? (size_t)rest :
						      PTL_PACKED_FRAME,
			    NULL);
	}
	if (draft.size == 0 || !(draft.is_full || last))
		return false;
	ptl_packed_stand_end(&draft.stand);
	if (!pack(frames, draft.size, draft.is_plain ? &draft.stand : NULL))
		return false;
	/* At the end all of it is removed, if there is room until then. */
	if (!last || frames->is_short)
		give_way(frames, from, draft.size);
	return true;
}

int ptl_framing_end(struct ptl_framing *frames, uint64_t size)
{
	int error = frames->error;

	if (error == 0 && frames->done > 0 && !put_head_again(frames))
		error = frames->error;
	if (error == 0 && frames->done != size)
		error = EIO;
	/* What was reserved is given back. */
	if (ftruncate(frames->packed, (off_t)frames->end) != 0 && error == 0)
		error = errno;
	free(frames->raw);
	free(frames->out);
	frames->raw = frames->out = NULL;
	return error;
}
