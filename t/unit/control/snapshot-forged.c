/* SPDX-License-Identifier: MIT */
/*
 * A snapshot of a stream in the memory of another user, who has changed what it
 * says of its own size and parts since it was mapped: it is refused, and nothing
 * is written where the parts would be.
 */
#include "core/control/snapshot.h"

#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <unistd.h>

static struct ptl_stream *stream;

static void check(const char *name)
{
	int fd = file_make();

	is_int(ptl_snapshot(stream, fd), EIO, "%s: refused", name);
	close(fd);
}

int main(void)
{
	trace_id_t trid = stream_run(0, stream_attr(1 << 20, 64,
						    POSIX_TRACE_LOOP));
	trace_event_id_t id = event_id("an event");
	struct ptl_shm_head *head, before;

	plan(8);
	for (unsigned long i = 0; i < 200000; i++)
		event_put(id, i);
	stream = ptl_stream_get(trid, PTL_STREAM_ACTIVE);
	head = stream->map->head;
	before = *head;
	is_int(ptl_snapshot(stream, file_make()), 0, "as it is");
	head->chunks_off += 16 * head->chunk_size;
	head->nr_chunks -= 16;
	check("later chunks");
	head->chunks_off = before.chunks_off;
	check("fewer chunks");
	head->nr_chunks = before.nr_chunks / 2;
	head->chunk_size *= 2;
	check("larger chunks");
	head->chunk_size = 0;
	check("no chunks");
	head->chunk_size = before.chunk_size;
	head->nr_chunks = before.nr_chunks;
	head->table_off += 64;
	check("another table");
	head->table_off = before.table_off;
	head->max_data *= 2;
	check("larger records");
	head->max_data = before.max_data;
	is_int(ptl_snapshot(stream, file_make()), 0, "as it was");
	ptl_stream_put(stream);
	stream_end(trid);
	return done();
}
