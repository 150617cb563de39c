/* SPDX-License-Identifier: MIT */
/* Logs that zstd has compressed; see unpack.h. */
#include "tools/read/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/read/packed.h"
#include "tools/lib/say.h"
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

/* No more than `most' bytes of the file. */
static const char *unpack_bytes(int fd, struct work *work, uint64_t most)
{
	static char bytes[65536];
	const char *why = NULL;
	ssize_t size;

	while (why == NULL && most > 0 &&
	       (size = read(fd, bytes,
			    most < sizeof(bytes) ? (size_t)most :
						   sizeof(bytes))) != 0) {
		ZSTD_inBuffer from = {bytes, size > 0 ? (size_t)size : 0, 0};

		if (size < 0 && errno == EINTR)
			continue;
		if (size < 0)
			why = strerror(errno);
		work->packed += from.size;
		most -= from.size;
		if (why == NULL)
			why = unpack_some(work, &from);
	}
	return why;
}

static void unpack_all(int fd, struct work *work, struct ptl_unpacked *made)
{
	made->why = unpack_bytes(fd, work, UINT64_MAX);
	if (made->why == NULL && work->awaited != 0)
		made->why = unpack_rest(work);
	made->is_short = work->unpacked == 0 && work->packed > 0 &&
			 (work->awaited != 0 || made->why != NULL);
}

/* How far a compressed log that is written is unpacked. */
struct place {
	uint64_t at;	 /* in its file */
	uint64_t offset; /* in the log */
};

static const char *unpack_frame(int fd, struct work *work, uint64_t at,
				const struct ptl_packed_mark *mark)
{
	uint64_t before = work->unpacked;
	const char *why;

	if (lseek(fd, (off_t)ptl_packed_frame(at), SEEK_SET) < 0 ||
	    lseek(work->copy, (off_t)mark->offset, SEEK_SET) < 0)
		return strerror(errno);
	why = unpack_bytes(fd, work, mark->packed);
	if (why == NULL &&
	    (work->awaited != 0 || work->unpacked - before != mark->raw))
		why = "a frame is not as its mark says";
	return why;
}

struct ptl_unpack_rest {
	int fd, copy;
	uint64_t *at; /* the marks of what is left out */
	size_t nr, room;
};

/* When the first event is, of all frames: that is always given. */
static uint64_t first_of_all(int fd, uint64_t size)
{
	struct ptl_packed_mark mark;
	uint64_t first = UINT64_MAX;

	for (uint64_t at = 0; ptl_packed_mark_at(fd, at, size, &mark);
	     at = ptl_packed_next(at, &mark))
		if (mark.plain && mark.stand.first < first)
			first = mark.stand.first;
	return first;
}

/* The placeholder in its place. */
static bool leave_out(struct ptl_unpack_rest *rest, uint64_t at,
		      const struct ptl_packed_mark *mark)
{
	off_t end = (off_t)(mark->offset + mark->raw);

	if (mark->stand.size != mark->raw ||
	    pwrite(rest->copy, &mark->stand, sizeof(mark->stand),
		   (off_t)mark->offset) != sizeof(mark->stand) ||
	    ftruncate(rest->copy, end) != 0)
		return false;
	rest->at = ptl_grow(rest->at, rest->nr, &rest->room, sizeof(*rest->at));
	rest->at[rest->nr++] = at;
	return true;
}

/* The frames that are whole from there on, but for what can be left out. */
static const char *unpack_frames(int fd, struct work *work, struct place *place,
				 struct ptl_unpack_rest *rest)
{
	struct ptl_packed_mark mark;
	uint64_t first, size;
	struct stat st;

	if (fstat(fd, &st) != 0)
		return strerror(errno);
	size = (uint64_t)st.st_size;
	first = rest != NULL ? first_of_all(fd, size) : 0;
	while (ptl_packed_mark_at(fd, place->at, size, &mark) &&
	       mark.offset == place->offset) {
		const char *why = NULL;

		if (rest == NULL || !mark.plain || mark.stand.first <= first ||
		    !leave_out(rest, place->at, &mark))
			why = unpack_frame(fd, work, place->at, &mark);
		if (why != NULL)
			return why;
		place->at = ptl_packed_next(place->at, &mark);
		place->offset += mark.raw;
	}
	return NULL;
}

/* From there on, to the same place. */
static const char *copy_part(int part, int copy, uint64_t offset)
{
	static char bytes[65536];
	ssize_t size;

	if (lseek(copy, (off_t)offset, SEEK_SET) < 0)
		return strerror(errno);
	while ((size = pread(part, bytes, sizeof(bytes), (off_t)offset)) != 0) {
		int error = size < 0 ?
				    errno :
				    ptl_spool_write(copy, bytes, (size_t)size);

		if (size < 0 && error == EINTR)
			continue;
		if (error != 0)
			return strerror(error);
		offset += (uint64_t)size;
	}
	return NULL;
}

/* Is it of the same log?  Then its head is later. */
static bool take_head(int part, int copy)
{
	struct ptl_log_head head, other;
	const size_t same = offsetof(struct ptl_log_head, cut_error);

	return pread(part, &head, sizeof(head), 0) == sizeof(head) &&
	       pread(copy, &other, sizeof(other), 0) == sizeof(other) &&
	       memcmp(&head, &other, same) == 0 &&
	       pwrite(copy, &head, sizeof(head), 0) == sizeof(head);
}

/*
 * What is in no frame yet is in the part; but what is copied of that may have
 * been put into a frame meanwhile, and is not there any more: so then the
 * frames that are new.
 */
static void unpack_both(int fd, int part, struct work *work,
			struct ptl_unpacked *made)
{
	struct place place = {0, 0};

	made->why = unpack_frames(fd, work, &place, NULL);
	if (made->why == NULL && place.offset == 0)
		made->why = copy_part(part, work->copy, 0);
	else if (made->why == NULL && take_head(part, work->copy))
		made->why = copy_part(part, work->copy, place.offset);
	if (made->why == NULL)
		made->why = unpack_frames(fd, work, &place, NULL);
}

/* What is no frame of ours comes at the end, if at all. */
static void unpack_some_frames(int fd, struct work *work,
			       struct ptl_unpacked *made)
{
	struct place place = {0, 0};
	struct ptl_unpack_rest rest = {
		.fd = fcntl(fd, F_DUPFD_CLOEXEC, 3),
		.copy = work->copy,
	};

	made->why =
		unpack_frames(fd, work, &place, rest.fd >= 0 ? &rest : NULL);
	if (rest.nr > 0) {
		made->rest = ptl_alloc(sizeof(rest));
		*made->rest = rest;
	} else if (rest.fd >= 0) {
		close(rest.fd);
	}
	if (made->why == NULL && lseek(fd, (off_t)place.at, SEEK_SET) >= 0 &&
	    lseek(work->copy, (off_t)place.offset, SEEK_SET) >= 0)
		unpack_all(fd, work, made);
}

static bool begin(struct work *work, int copy)
{
	*work = (struct work){
		.stream = ZSTD_createDStream(),
		.copy = copy,
		.room = ZSTD_DStreamOutSize(),
	};
	work->to = malloc(work->room);
	return work->stream != NULL && work->to != NULL;
}

static void end(struct work *work)
{
	free(work->to);
	ZSTD_freeDStream(work->stream);
}

struct ptl_unpacked ptl_unpack(int fd, int part, bool some)
{
	struct ptl_unpacked made = {.fd = ptl_spool_file()};
	struct work work;

	if (!begin(&work, made.fd) && made.fd > 0) {
		close(made.fd);
		made.fd = -ENOMEM;
	}
	if (made.fd > 0 && part >= 0)
		unpack_both(fd, part, &work, &made);
	else if (made.fd > 0 && some)
		unpack_some_frames(fd, &work, &made);
	else if (made.fd > 0)
		unpack_all(fd, &work, &made);
	end(&work);
	return made;
}

bool ptl_unpack_wanted(struct ptl_unpack_rest *rest,
		       bool (*wanted)(void *arg, uint64_t first, uint64_t last),
		       void *arg)
{
	struct work work;
	bool is_good = begin(&work, rest->copy);
	struct stat st;
	size_t kept = 0;

	is_good = is_good && fstat(rest->fd, &st) == 0;
	for (size_t i = 0; i < rest->nr && is_good; i++) {
		struct ptl_packed_mark mark;

		is_good = ptl_packed_mark_at(rest->fd, rest->at[i],
					     (uint64_t)st.st_size, &mark);
		if (is_good && wanted(arg, mark.stand.first, mark.stand.last))
			is_good = unpack_frame(rest->fd, &work, rest->at[i],
					       &mark) == NULL;
		else
			rest->at[kept++] = rest->at[i];
	}
	/* Nothing is read on from what cannot be. */
	rest->nr = is_good ? kept : 0;
	end(&work);
	return is_good;
}

bool ptl_unpack_is_all(const struct ptl_unpack_rest *rest)
{
	return rest->nr == 0;
}

void ptl_unpack_free(struct ptl_unpack_rest *rest)
{
	if (rest == NULL)
		return;
	close(rest->fd);
	free(rest->at);
	free(rest);
}

#else

struct ptl_unpacked ptl_unpack(int fd, int part, bool some)
{
	(void)fd;
	(void)part;
	(void)some;
	return (struct ptl_unpacked){.fd = -ENOTSUP};
}

bool ptl_unpack_wanted(struct ptl_unpack_rest *rest,
		       bool (*wanted)(void *arg, uint64_t first, uint64_t last),
		       void *arg)
{
	(void)rest;
	(void)wanted;
	(void)arg;
	return false;
}

bool ptl_unpack_is_all(const struct ptl_unpack_rest *rest)
{
	(void)rest;
	return true;
}

void ptl_unpack_free(struct ptl_unpack_rest *rest)
{
	(void)rest;
}

#endif
