/* SPDX-License-Identifier: MIT */
/* Logs that zstd has compressed; see unpack.h. */
#include "tools/read/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/read/spool.h"

/* The magic numbers of a frame, and of one that is passed over. */
#define FRAME 0xfd2fb528u
#define SKIPPED 0x184d2a50u

bool ptl_unpack_knows(const void *bytes, size_t size)
{
	const unsigned char *byte = bytes;
	uint32_t magic;

	if (size < sizeof(magic))
		return false;
	magic = (uint32_t)byte[0] | (uint32_t)byte[1] << 8 |
		(uint32_t)byte[2] << 16 | (uint32_t)byte[3] << 24;
	return magic == FRAME || (magic & ~0xfu) == SKIPPED;
}

#ifdef HAVE_ZSTD

#include <zstd.h>

/* A log becomes 20 times as large.  A file that claims much more than that,
 * and is larger than this, shall not fill the disk. */
#define FREE_SIZE (UINT64_C(256) << 20)
#define MOST_TIMES 200

/* The state of what is unpacked. */
struct work {
	ZSTD_DStream *stream;
	int copy;
	char *to;
	size_t room;
	uint64_t packed, unpacked;
	size_t awaited; /* what a frame still needs; 0: it is at its end */
};

/* What makes no sense stays behind what does, as it is: so it does not in the
 * log either, and is said as of any. */
static void put_rest(struct work *work, const ZSTD_inBuffer *from)
{
	size_t at = from->pos < from->size ? from->pos : from->size - 1;

	ptl_spool_write(work->copy, (const char *)from->src + at,
			from->size - at);
}

static const char *unpack_some(struct work *work, ZSTD_inBuffer *from)
{
	while (from->pos < from->size) {
		ZSTD_outBuffer to = {work->to, work->room, 0};
		int error;

		work->awaited = ZSTD_decompressStream(work->stream, &to, from);
		error = ptl_spool_write(work->copy, work->to, to.pos);
		work->unpacked += to.pos;
		if (ZSTD_isError(work->awaited)) {
			put_rest(work, from);
			return ZSTD_getErrorName(work->awaited);
		}
		if (error != 0)
			return strerror(error);
		if (work->unpacked > FREE_SIZE &&
		    work->unpacked / MOST_TIMES > work->packed)
			return "it is a small file that says it is a large "
			       "one";
	}
	return NULL;
}

/* What a full buffer has left inside. */
static const char *unpack_rest(struct work *work)
{
	for (;;) {
		ZSTD_inBuffer none = {NULL, 0, 0};
		ZSTD_outBuffer to = {work->to, work->room, 0};
		int error;

		work->awaited = ZSTD_decompressStream(work->stream, &to, &none);
		if (ZSTD_isError(work->awaited) || to.pos == 0)
			return NULL;
		error = ptl_spool_write(work->copy, work->to, to.pos);
		work->unpacked += to.pos;
		if (error != 0)
			return strerror(error);
	}
}

static void unpack_all(int fd, struct work *work, struct ptl_unpacked *made)
{
	static char bytes[65536];
	ssize_t size;

	while (made->why == NULL &&
	       (size = read(fd, bytes, sizeof(bytes))) != 0) {
		ZSTD_inBuffer from = {bytes, size > 0 ? (size_t)size : 0, 0};

		if (size < 0 && errno == EINTR)
			continue;
		if (size < 0)
			made->why = strerror(errno);
		work->packed += from.size;
		if (made->why == NULL)
			made->why = unpack_some(work, &from);
	}
	if (made->why == NULL && work->awaited != 0)
		made->why = unpack_rest(work);
	made->is_short = work->unpacked == 0 && work->packed > 0 &&
			 (work->awaited != 0 || made->why != NULL);
}

struct ptl_unpacked ptl_unpack(int fd)
{
	struct ptl_unpacked made = {.fd = ptl_spool_file()};
	struct work work = {
		.stream = ZSTD_createDStream(),
		.copy = made.fd,
		.room = ZSTD_DStreamOutSize(),
	};

	work.to = malloc(work.room);
	if (made.fd > 0 && work.stream != NULL && work.to != NULL) {
		unpack_all(fd, &work, &made);
	} else if (made.fd > 0) {
		close(made.fd);
		made.fd = -ENOMEM;
	}
	free(work.to);
	ZSTD_freeDStream(work.stream);
	return made;
}

#else

struct ptl_unpacked ptl_unpack(int fd)
{
	(void)fd;
	return (struct ptl_unpacked){.fd = -ENOTSUP};
}

#endif
