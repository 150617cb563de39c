/* SPDX-License-Identifier: MIT */
/*
 * A record that is never finished, with an event behind it, keeps a shutdown
 * waiting, but not for ever; what is behind it is in the log.
 */
#include "core/buffer/slot.h"
#include "core/format/record.h"
#include "core/record/attached.h"

#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <pthread.h>
#include <unistd.h>

static trace_event_id_t id;
static pthread_barrier_t barrier;

/* As one that a handler interrupted right after it had reserved its place. */
static void reserve_only(void)
{
	struct ptl_slot_stream *own = &ptl_thread.slot->stream[0];
	size_t bytes = ptl_record_bytes(64, 0);

	ptl_record_begin(ptl_map_chunk(own->map, ptl_word_chunk(own->word)) +
				 ptl_word_offset(own->word),
			 0, 0, 64);
	own->word += bytes >> 3;
}

static void *recorder(void *arg)
{
	event_put(id, 1);
	reserve_only();
	event_put(id, 2);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	return arg;
}

int main(void)
{
	int fd = file_make();
	struct event ev;
	pthread_t thread;
	trace_id_t trid;

	plan(4);
	proc_deadline(30);
	id = event_id("an event");
	pthread_barrier_init(&barrier, NULL, 2);
	trid = stream_make_log(0, NULL, fd);
	stream_start(trid);
	pthread_create(&thread, NULL, recorder, NULL);
	pthread_barrier_wait(&barrier);
	is_int(posix_trace_shutdown(trid), 0, "it comes to an end");
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
	trid = log_open(fd);
	ok(event_find(trid, id, &ev) && ev.word == 1, "the event before");
	ok(event_find(trid, id, &ev) && ev.word == 2, "the event behind");
	ok(!event_find(trid, id, &ev), "no more");
	posix_trace_close(trid);
	return done();
}
