/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_attr_set*size: any size is taken; a stream made with it is made
 * and works, or is not made, and the error says why; nothing crashes.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

static const size_t sizes[] = {
	0, 1, 7, 4095, SIZE_MAX, SIZE_MAX - 1, SIZE_MAX - 4096, SIZE_MAX / 2,
	SIZE_MAX / 2 + 1, (size_t)1 << 47, (size_t)1 << 62,
};
#define NR (int)(sizeof(sizes) / sizeof(sizes[0]))

static trace_event_id_t id;

/* Small data fit into any max-data-size but the smallest. */
static int works(trace_id_t trid, size_t max_data)
{
	struct event ev;

	stream_start(trid);
	posix_trace_event(id, "abc", 3);
	return event_find(trid, id, &ev) &&
	       ev.size == (max_data < 3 ? max_data : 3) &&
	       !memcmp(ev.data, "abc", ev.size);
}

static int is_refusal(int err)
{
	return err == ENOMEM || err == EAGAIN;
}

static void try_live(size_t stream, size_t max_data)
{
	trace_attr_t attr;
	trace_id_t trid;
	int err;

	posix_trace_attr_init(&attr);
	posix_trace_attr_setstreamsize(&attr, stream);
	posix_trace_attr_setmaxdatasize(&attr, max_data);
	err = posix_trace_create(0, &attr, &trid);
	ok(err ? is_refusal(err) : works(trid, max_data),
	   "[create.18] stream of %#zx, data of %#zx: %d", stream, max_data, err);
	if (!err)
		stream_end(trid);
}

static void try_log(size_t size, int policy)
{
	int fd = file_make(), err;
	trace_attr_t attr;
	trace_id_t trid;

	posix_trace_attr_init(&attr);
	posix_trace_attr_setlogsize(&attr, size);
	posix_trace_attr_setlogfullpolicy(&attr, policy);
	err = posix_trace_create_withlog(0, &attr, fd, &trid);
	if (!err) {
		stream_start(trid);
		posix_trace_event(id, "abc", 3);
		stream_end(trid);
	}
	ok(err ? is_refusal(err) : log_count(fd, "an event") <= 1,
	   "log of %#zx, policy %d: %d", size, policy, err);
	close(fd);
}

int main(void)
{
	size_t size;
	trace_attr_t attr;

	plan(2 * NR + 5);
	id = event_id("an event");
	for (int i = 0; i < NR; i++) {
		try_live(sizes[i], 64);
		try_live(100000, sizes[i]);
	}
	try_live(SIZE_MAX, SIZE_MAX);
	try_live(0, 0);
	try_log(0, POSIX_TRACE_APPEND);
	posix_trace_attr_init(&attr);
	posix_trace_attr_setmaxdatasize(&attr, SIZE_MAX);
	is_int(posix_trace_attr_getmaxusereventsize(&attr, SIZE_MAX, &size), 0,
	       "[attr_getmaxusereventsize.8] the size of an absurd event");
	ok(size == SIZE_MAX, "is not small");
	return done();
}
