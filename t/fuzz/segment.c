/* SPDX-License-Identifier: MIT */
/*
 * A stream whose segment somebody writes to, as a traced process can: it is
 * read, flushed, and ended into a log, which can be read then.  The first byte
 * chooses the policy and whether there is a log; each next twelve are a place
 * in the segment and what is written there.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <trace.h>
#include <unistd.h>

#include "core/shm/map.h"
#include "core/stream/stream.h"
#include "t/fuzz/fuzz.h"

#define NR_EVENTS 24
#define DATA_SIZE 256

static char data_read[DATA_SIZE];

/* As many as there can be, and not for ever. */
static void read_all(trace_id_t trid, bool is_live)
{
	struct posix_trace_event_info info;
	struct posix_trace_status_info status;
	int unavailable = 0, err = 0;
	trace_event_id_t id;
	size_t size;

	for (int i = 0; err == 0 && !unavailable; i++) {
		if (i > 1 << 16)
			abort();
		err = is_live ? posix_trace_trygetnext_event(
					trid, &info, data_read, DATA_SIZE,
					&size, &unavailable) :
				posix_trace_getnext_event(
					trid, &info, data_read, DATA_SIZE,
					&size, &unavailable);
		if (err == 0 && !unavailable && size > DATA_SIZE)
			abort();
	}
	posix_trace_get_status(trid, &status);
	unavailable = 0;
	while (posix_trace_eventtypelist_getnext_id(trid, &id, &unavailable) ==
		       0 &&
	       !unavailable) {
		char name[TRACE_EVENT_NAME_MAX + 1];

		if (posix_trace_eventid_get_name(trid, id, name) == 0 &&
		    strlen(name) >= sizeof(name))
			abort();
	}
}

/* Where a place of the input is: all over it, or where it matters. */
static unsigned char *place(const struct ptl_map *map, uint32_t at)
{
	unsigned char *segment = (unsigned char *)map->head;
	uint32_t rest = at & 0x0fffffff;

	switch (at >> 28 & 3) {
	case 0:
		return segment + rest % sizeof(*map->head);
	case 1:
		return (unsigned char *)map->table +
		       rest % (map->nr_chunks * sizeof(*map->table));
	case 2:
		return map->chunks + rest % 2048;
	default:
		return segment + rest % map->size;
	}
}

static void patch(trace_id_t trid, const uint8_t *data, size_t size)
{
	struct ptl_stream *stream =
		ptl_stream_get(trid, PTL_STREAM_LIVE | PTL_STREAM_LOGGED);
	const struct ptl_map *map;

	if (!stream)
		abort();
	map = stream->map;
	for (; size >= 12; data += 12, size -= 12) {
		uint32_t at;
		unsigned char *to;
		size_t width;

		memcpy(&at, data, sizeof(at));
		width = (size_t)1 << (at >> 30);
		to = place(map, at);
		to -= (uintptr_t)to % width;
		memcpy(to, data + 4, width);
	}
	ptl_stream_put(stream);
}

static trace_id_t make(unsigned int choice, int fd)
{
	static trace_event_id_t id;
	trace_attr_t attr;
	trace_id_t trid;
	int err;

	if (!id)
		posix_trace_eventid_open("fuzz:segment", &id);
	posix_trace_attr_init(&attr);
	posix_trace_attr_setmaxdatasize(&attr, DATA_SIZE);
	posix_trace_attr_setstreamsize(&attr, 4096);
	if (choice & 2)
		posix_trace_attr_setstreamfullpolicy(&attr,
						     POSIX_TRACE_UNTIL_FULL);
	err = choice & 1 ? posix_trace_create_withlog(0, &attr, fd, &trid) :
			   posix_trace_create(0, &attr, &trid);
	if (err != 0 || posix_trace_start(trid) != 0)
		abort();
	for (int i = 0; i < NR_EVENTS; i++)
		posix_trace_event(id, "some text of some length", 8 + (size_t)i % 16);
	posix_trace_attr_destroy(&attr);
	return trid;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned int choice = size ? data[0] : 0;
	int fd = memfd_create("segment", MFD_CLOEXEC);
	trace_id_t trid;

	if (fd < 0)
		abort();
	fuzz_hurry();
	trid = make(choice, fd);
	if (size)
		patch(trid, data + 1, size - 1);
	if (choice & 1)
		posix_trace_flush(trid);
	else
		read_all(trid, true);
	posix_trace_stop(trid);
	posix_trace_shutdown(trid);
	if (choice & 1 && posix_trace_open(fd, &trid) == 0) {
		read_all(trid, false);
		posix_trace_close(trid);
	}
	close(fd);
	return 0;
}
