/* SPDX-License-Identifier: MIT */
/* Symbols that are in logs; see enclosed.h. */
#include "tools/symbolize/enclosed.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "tools/lib/say.h"
#include "tools/symbolize/find.h"

#define NAME_MOST 8192
/* A few bytes can claim to unpack to many. */
#define UNPACKED_MOST ((uint64_t)1 << 30)
#define PIECE (256 * 1024)

static const char symbols[] = "symbols:", perf_map[] = "perf-map:";

struct enclosure {
	char *name;
	trace_id_t trid;
	unsigned int number;
	size_t size;
	int fd; /* unpacked; 0: not yet, -1: it cannot be */
};

static struct enclosure *known;
static size_t nr_known, room;
static bool has_maps;

static bool begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

static bool is_null(const unsigned char *bytes, size_t size)
{
	return size == 0 ||
	       (bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0);
}

/* Nulls, of which there are many, take no memory. */
static bool put(int fd, const unsigned char *bytes, size_t size, uint64_t at)
{
	return is_null(bytes, size) ||
	       pwrite(fd, bytes, size, (off_t)at) == (ssize_t)size;
}

/* All of it into the file; false: it is damaged, or too much. */
static bool unpack(unsigned char *packed, size_t size, int fd)
{
	static unsigned char piece[PIECE];
	z_stream stream = {.next_in = packed, .avail_in = (unsigned int)size};
	uint64_t written = 0;
	int status = Z_OK;

	if (inflateInit(&stream) != Z_OK)
		return false;
	while (status == Z_OK && written < UNPACKED_MOST) {
		size_t part;

		stream.next_out = piece;
		stream.avail_out = PIECE;
		status = inflate(&stream, Z_NO_FLUSH);
		part = PIECE - stream.avail_out;
		if (part == 0 || !put(fd, piece, part, written))
			break;
		written += part;
	}
	inflateEnd(&stream);
	return status == Z_STREAM_END && ftruncate(fd, (off_t)written) == 0;
}

static void open_enclosure(struct enclosure *enclosure)
{
	unsigned char *packed = malloc(enclosure->size);
	int fd = memfd_create("symbols", MFD_CLOEXEC);

	enclosure->fd = -1;
	if (packed != NULL && fd > 0 && enclosure->size <= UINT32_MAX &&
	    posix_trace_get_enclosed_np(enclosure->trid, enclosure->number,
					NULL, 0, packed, enclosure->size,
					NULL) == 0 &&
	    unpack(packed, enclosure->size, fd))
		enclosure->fd = fd;
	else if (fd >= 0)
		close(fd);
	free(packed);
}

/* A descriptor of the caller's; offsets are not used. */
static int file_of(struct enclosure *enclosure)
{
	if (enclosure->fd == 0)
		open_enclosure(enclosure);
	return enclosure->fd > 0 ? dup(enclosure->fd) : -1;
}

/* "symbols:ID:PATH" */
static bool is_of(const char *name, const char *id,
		  const struct ptl_wanted *wanted)
{
	size_t size = strlen(id);

	if (!begins(name, symbols))
		return false;
	name += sizeof(symbols) - 1;
	return strncmp(name, id, size) == 0 && name[size] == ':' &&
	       strcmp(name + size + 1, wanted->path) == 0;
}

static int find_enclosed(const struct ptl_wanted *wanted)
{
	char id[2 * PTL_BUILD_ID_MAX + 1] = "";

	if (nr_known == 0)
		return -1;
	for (size_t i = 0; i < wanted->id_size; i++)
		sprintf(id + 2 * i, "%02x", wanted->id[i]);
	for (size_t i = nr_known; i-- > 0;)
		if (is_of(known[i].name, id, wanted))
			return file_of(&known[i]);
	return -1;
}

int ptl_enclosed_learn(trace_id_t trid)
{
	static char name[NAME_MOST];
	unsigned int i;
	size_t size;
	int nr = 0, err;

	ptl_find_first(find_enclosed);
	for (i = 0; (err = posix_trace_get_enclosed_np(
			     trid, i, name, sizeof(name), NULL, 0, &size)) == 0;
	     i++) {
		if (!begins(name, symbols) && !begins(name, perf_map))
			continue;
		has_maps |= begins(name, perf_map);
		known = ptl_grow(known, nr_known, &room, sizeof(*known));
		known[nr_known++] = (struct enclosure){
			.name = strdup(name),
			.trid = trid,
			.number = i,
			.size = size,
		};
		nr++;
	}
	errno = err;
	return err == ENOENT ? nr : -1;
}

bool ptl_enclosed_has_maps(void)
{
	return has_maps;
}

int ptl_enclosed_map(pid_t pid)
{
	struct enclosure *found = NULL;
	char name[32];

	snprintf(name, sizeof(name), "%s%d", perf_map, (int)pid);
	for (size_t i = 0; i < nr_known; i++) {
		if (strcmp(known[i].name, name) != 0)
			continue;
		if (found != NULL && found->size != known[i].size)
			return -1;
		found = &known[i];
	}
	return found != NULL ? file_of(found) : -1;
}
